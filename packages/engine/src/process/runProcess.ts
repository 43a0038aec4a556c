import { spawn } from "node:child_process";
import type { ProcessEnding } from "./ending.ts";
import type { ProcessGroups } from "./processGroups.ts";
import { type Child, type Limits, RunningProcess } from "./runningProcess.ts";
import { explainStartFailure } from "./startFailure.ts";

export interface ProcessRequest extends Limits {
  readonly argv: readonly [string, ...string[]];
  readonly stdin: Uint8Array | string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Never rejects: whatever happens to the process is an ending, and it comes in time, whoever still holds a pipe. */
export function runProcess(request: ProcessRequest, groups: ProcessGroups): Promise<ProcessEnding> {
  if (request.signal?.aborted) return Promise.resolve(ABORTED_BEFORE_START);
  const child = start(request);
  if (child instanceof Error) return Promise.resolve(notStarted(child, request));
  const { pid } = child;
  return new Promise((resolve) => {
    if (pid === undefined) child.once("error", (error) => resolve(notStarted(error, request)));
    else new RunningProcess({ child, pid, groups, limits: request, resolve }).feed(request.stdin);
  });
}

/** Node throws some failures to start, and reports others by an event. */
function start({ argv: [program, ...args], cwd, env }: ProcessRequest): Child | Error {
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function notStarted(error: Error, { argv: [program], cwd }: ProcessRequest): ProcessEnding {
  return { kind: "notStarted", cause: explainStartFailure(error, program, cwd) };
}

const ABORTED_BEFORE_START: ProcessEnding = {
  kind: "aborted",
  stdout: "",
  stderr: "",
  stdoutTruncated: false,
  stderrTruncated: false,
};
