import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { ProgramError } from "../errors.ts";
import { packageFile } from "../packageFile.ts";
import { programVersion } from "../programVersion.ts";
import { askDaemon } from "./askDaemon.ts";
import { daemonStatusSchema, stoppedSchema } from "./controlSchemas.ts";
import { daemonEnvironment } from "./daemonEnvironment.ts";

const START_MS = 10_000;
const PAUSE_MS = 20;

export interface Started {
  readonly pid: number;
  /** It ran before. */
  readonly isOld: boolean;
}

/** Starts the daemon in its own session, as the native client does, unless one runs. */
export async function startDaemon(homeDir: string): Promise<Started> {
  const running = await statusOf(homeDir);
  if (running?.version === programVersion()) return { pid: running.pid, isOld: true };
  if (running) await askDaemon(homeDir, { ask: "stop" }, stoppedSchema); // it finishes what it has, and takes no more
  const argv = [packageFile("bin/hookline.js"), "daemon", "run", "--home", homeDir];
  spawn(process.execPath, argv, { cwd: "/", env: daemonEnvironment(homeDir), detached: true, stdio: "ignore" })
    .on("error", () => {})
    .unref();
  for (const until = performance.now() + START_MS; performance.now() < until; ) {
    const started = await statusOf(homeDir);
    if (started) return { pid: started.pid, isOld: false };
    await setTimeout(PAUSE_MS);
  }
  throw new ProgramError({
    code: "DAEMON_FAILED",
    what: `The daemon did not start within ${START_MS / 1000} s.`,
  });
}

function statusOf(homeDir: string) {
  return askDaemon(homeDir, { ask: "status" }, daemonStatusSchema);
}
