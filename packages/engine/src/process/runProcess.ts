import { spawn } from "node:child_process";
import { Capture } from "./capture.ts";
import type { Captured, ProcessEnding } from "./ending.ts";
import { groupExists, type ProcessGroups } from "./processGroups.ts";
import { explainStartFailure } from "./startFailure.ts";

export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  readonly stdin: Uint8Array | string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly killGraceMs: number;
  readonly outputLimitBytes: number;
  readonly signal?: AbortSignal;
}

const DRAIN_MS = 100;
const LONGEST_TIMER_MS = 2 ** 31 - 1; // Node fires a longer one at once

/** Never rejects: whatever happens to the process is an ending, and the ending comes in time, whoever still holds a pipe. */
export function runProcess(request: ProcessRequest, groups: ProcessGroups): Promise<ProcessEnding> {
  if (request.signal?.aborted) return Promise.resolve({ kind: "aborted", ...NOTHING });
  return new Promise((resolve) => {
    const notStarted = (thrown: unknown) =>
      resolve({ kind: "notStarted", cause: explainStartFailure(thrown, request.argv[0], request.cwd) });
    try {
      const child = start(request);
      if (child.pid === undefined) child.once("error", notStarted);
      else watch(child, child.pid, request, groups, resolve);
    } catch (error) {
      notStarted(error);
    }
  });
}

type Child = ReturnType<typeof start>;

function start({ argv: [program, ...args], cwd, env }: ProcessRequest) {
  return spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
}

function watch(
  child: Child,
  pid: number,
  request: ProcessRequest,
  groups: ProcessGroups,
  resolve: (ending: ProcessEnding) => void,
): void {
  const { signal, timeoutMs, killGraceMs, outputLimitBytes } = request;
  let exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  let drain: NodeJS.Timeout | undefined;
  let settled = false;

  const finishWhenDrained = () => {
    if (exit && stdout.ended && stderr.ended) finish();
  };
  const stdout = new Capture(child.stdout, outputLimitBytes, finishWhenDrained);
  const stderr = new Capture(child.stderr, outputLimitBytes, finishWhenDrained);
  const captured = (): Captured => ({
    stdout: stdout.text(),
    stderr: stderr.text(),
    stdoutTruncated: stdout.truncated,
    stderrTruncated: stderr.truncated,
  });

  const settle = (ending: ProcessEnding) => {
    settled = true;
    clearTimeout(deadline);
    clearTimeout(drain);
    signal?.removeEventListener("abort", abort);
    child.stdin.destroy();
    resolve(ending);
  };

  const finish = () => {
    if (settled || !exit) return;
    if (exit.signal) {
      settle({ kind: "killed", signal: exit.signal, ...captured() });
      closePipes();
    } else {
      const leftBehind = !stdout.ended || !stderr.ended || groupExists(pid);
      settle({ kind: "exited", code: exit.code ?? 0, leftBehind, ...captured() });
      // A closed pipe would kill what was left behind at its next line of output.
      stdout.ignoreRest();
      stderr.ignoreRest();
    }
  };

  const giveUp = (how: { kind: "timedOut"; afterMs: number } | { kind: "aborted" }) => {
    if (settled) return;
    groups.kill(pid, killGraceMs);
    settle({ ...how, ...captured() });
    closePipes();
    child.unref();
  };
  const closePipes = () => {
    stdout.close();
    stderr.close();
  };
  const abort = () => giveUp({ kind: "aborted" });

  child.on("exit", (code, signal) => {
    if (!settled && code !== null) groups.delete(pid);
    else groups.leaderExited(pid);
    if (settled) return;
    if (signal) groups.kill(pid, killGraceMs); // nobody reports what a dead hook leaves behind, so nothing may be left
    exit = { code, signal };
    clearTimeout(deadline);
    if (stdout.ended && stderr.ended) finish();
    else drain = afterWaiting(DRAIN_MS, finish);
  });
  const deadline = afterWaiting(timeoutMs, () => {
    if (!exit) giveUp({ kind: "timedOut", afterMs: timeoutMs });
  });
  signal?.addEventListener("abort", abort, { once: true });
  groups.add(pid);
  child.stdin.on("error", () => {}); // a hook need not read its input
  child.stdin.end(request.stdin);
}

/**
 * When the caller has kept the thread busy, a timer comes due before an exit or an output that happened long ago has been
 * noticed. The immediate lets the event loop look once more before anything is lost.
 */
function afterWaiting(ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), Math.min(ms, LONGEST_TIMER_MS));
}

const NOTHING: Captured = { stdout: "", stderr: "", stdoutTruncated: false, stderrTruncated: false };
