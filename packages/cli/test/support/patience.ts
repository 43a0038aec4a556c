import type { ChildProcess } from "node:child_process";
import { type Ended, endOf } from "./machine.ts";

/** Long enough for any machine, and far below what a hang takes. */
const PATIENCE_MS = 20_000;

/** How a program ended; "hung" if it had to be killed. */
export async function endOrHang(child: ChildProcess): Promise<Ended | "hung"> {
  let isHung = false;
  child.stdin?.end();
  const timer = setTimeout(() => {
    isHung = true;
    child.kill("SIGKILL");
  }, PATIENCE_MS);
  const ended = await endOf(child);
  clearTimeout(timer);
  return isHung ? "hung" : ended;
}
