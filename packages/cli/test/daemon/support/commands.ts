import { spawnSync } from "node:child_process";
import { BINARY } from "../../support/machine.ts";
import type { DaemonHome } from "./daemonHome.ts";

/** One of our commands, in the project, for the user of this home. */
export function hookline(home: DaemonHome, ...args: readonly string[]) {
  const env = { HOME: home.dir, PATH: process.env.PATH ?? "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], { cwd: home.project, env });
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString() };
}
