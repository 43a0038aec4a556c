import type { ChildProcess } from "node:child_process";
import { type Ended, endOf } from "./machine.ts";

/** Long enough for any machine, and far below what a hang takes. */
const PATIENCE_MS = 20_000;

/** How a program ended; "hung" if it had to be killed. */
export async function endOrHang(child: ChildProcess, patienceMs = PATIENCE_MS): Promise<Ended | "hung"> {
  let isHung = false;
  child.stdin?.end();
  const timer = setTimeout(() => {
    isHung = true;
    child.kill("SIGKILL");
  }, patienceMs);
  const ended = await endOf(child);
  clearTimeout(timer);
  return isHung ? "hung" : ended;
}
