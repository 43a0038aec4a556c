import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { ProgramError } from "../errors.ts";
import { packageFile } from "../packageFile.ts";
import { programVersion } from "../programVersion.ts";
import { askDaemon } from "./askDaemon.ts";
import { stoppedSchema } from "./controlSchemas.ts";
import { daemonEnvironment } from "./daemonEnvironment.ts";
import { runFolder } from "./runFolder.ts";

/** A daemon that lost its socket notices within 10 s (socketWatch.ts), and is in the way until then. */
const START_MS = 15_000;
const PAUSE_MS = 20;
/** The rest of a status differs between versions. */
const identitySchema = z.object({ pid: z.number(), version: z.string() });

export interface Started {
  readonly pid: number;
  /** It ran before. */
  readonly isOld: boolean;
}

/** Starts the daemon in its own session, as the native client does, unless one runs. */
export async function startDaemon(homeDir: string): Promise<Started> {
  const running = await identityOf(homeDir);
  if (running?.version === programVersion()) return { pid: running.pid, isOld: true };
  if (running) {
    // It finishes what it has, and takes no more.
    const stopped = await askDaemon(homeDir, { ask: "stop" }, stoppedSchema);
    if (stopped?.kind === "refused") return { pid: running.pid, isOld: true };
  }
  let child = runDaemon(homeDir);
  let isTaken = false;
  for (const until = performance.now() + START_MS; performance.now() < until; await setTimeout(PAUSE_MS)) {
    const started = await identityOf(homeDir);
    if (started && started.pid !== running?.pid) return { pid: started.pid, isOld: false };
    if (child.ending === undefined) continue;
    if (child.ending !== "") throw failed(child.ending);
    isTaken = true; // another one was first; it ends if it cannot be reached
    child = runDaemon(homeDir);
  }
  if (!isTaken) throw failed(`did not start within ${START_MS / 1000} s`);
  const { lock } = runFolder(homeDir);
  throw failed("cannot start: another one runs, but does not listen", `End it: \`fuser ${lock}\` names the process.`);
}

interface StartedProcess {
  /** How it ended: empty if another daemon runs; undefined as long as it goes on. */
  ending: string | undefined;
}

function runDaemon(homeDir: string): StartedProcess {
  const argv = [packageFile("bin/hookline.js"), "daemon", "run", "--home", homeDir];
  const options = { cwd: "/", env: daemonEnvironment(homeDir), detached: true, stdio: "ignore" } as const;
  const child: StartedProcess = { ending: undefined };
  spawn(process.execPath, argv, options)
    .on("error", (error) => {
      child.ending = `cannot be started: ${error.message}`;
    })
    .on("exit", (code, signal) => {
      child.ending = code === 0 ? "" : `ended while it started (${signal ?? `exit code ${code}`})`;
    })
    .unref();
  return child;
}

function failed(how: string, next?: string): ProgramError {
  return new ProgramError({ code: "DAEMON_FAILED", what: `The daemon ${how}.`, next });
}

function identityOf(homeDir: string) {
  return askDaemon(homeDir, { ask: "status" }, identitySchema);
}
