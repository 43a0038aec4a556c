import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { ProcessEnding } from "./ending.ts";
import { openInputFile } from "./inputFile.ts";
import type { ProcessGroups } from "./processGroups.ts";
import { type Child, type Limits, RunningProcess } from "./runningProcess.ts";
import { explainStartFailure } from "./startFailure.ts";

export interface ProcessRequest extends Limits {
  readonly argv: readonly [string, ...string[]];
  readonly stdin: Uint8Array | string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Feed it through a pipe even if a file in memory is possible. */
  readonly pipeInput?: boolean;
}

/** Never rejects: whatever happens to the process is an ending, and it comes in time even if another process holds a pipe open. */
export function runProcess(request: ProcessRequest, groups: ProcessGroups): Promise<ProcessEnding> {
  if (request.signal?.aborted) return Promise.resolve(ABORTED_BEFORE_START);
  const child = start(request);
  if (child instanceof Error) return Promise.resolve(notStarted(child, request));
  const { pid } = child;
  return new Promise((resolve) => {
    if (pid === undefined) {
      child.once("error", (error) => resolve(notStarted(error, request)));
      return;
    }
    feed(child, request.stdin); // first: the hook is waiting for it
    new RunningProcess({ child, pid, groups, limits: request, resolve });
  });
}

/** Node throws some start failures, and emits others as an event. */
function start({ argv: [program, ...args], cwd, env, stdin, pipeInput }: ProcessRequest): Child | Error {
  const file = pipeInput ? null : openInputFile(typeof stdin === "string" ? Buffer.from(stdin) : stdin);
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: [file ?? "pipe", "pipe", "pipe"] });
    return hasOutputs(child) ? child : new Error("it has no pipes to read its output from");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    if (file !== null) closeSync(file);
  }
}

function hasOutputs(child: ChildProcess): child is Child {
  return child.stdout !== null && child.stderr !== null;
}

function feed({ stdin }: Child, input: Uint8Array | string): void {
  stdin?.on("error", () => {}); // a hook need not read its input
  stdin?.end(input);
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
