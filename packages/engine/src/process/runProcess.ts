import { closeSync } from "node:fs";
import type { ProcessEnding } from "./ending.ts";
import { openInputFile } from "./inputFile.ts";
import type { ProcessGroups } from "./processGroups.ts";
import { type Limits, RunningProcess } from "./runningProcess.ts";
import { type FailedSpawn, type GroupLeader, type SpawnRequest, spawnGroup } from "./spawnGroup.ts";

export interface ProcessRequest extends SpawnRequest, Limits {
  readonly stdin: Uint8Array | string;
  /** Feed it through a pipe even if a file in memory is possible. */
  readonly pipeInput?: boolean;
}

/** Never rejects: whatever happens to the process is an ending, and it comes in time even if another process holds a pipe open. */
export function runProcess(request: ProcessRequest, groups: ProcessGroups): Promise<ProcessEnding> {
  if (request.signal?.aborted) return Promise.resolve(ABORTED_BEFORE_START);
  const leader = start(request, groups);
  if (leader.kind === "failed") return leader.cause.then((cause) => ({ kind: "notStarted", cause }));
  leader.child.stdin?.end(request.stdin); // first: the hook is waiting for it
  return new Promise((resolve) => {
    new RunningProcess({ ...leader, groups, limits: request, resolve });
  });
}

function start(request: ProcessRequest, groups: ProcessGroups): GroupLeader | FailedSpawn {
  const { stdin, pipeInput } = request;
  const file = pipeInput ? null : openInputFile(typeof stdin === "string" ? Buffer.from(stdin) : stdin);
  try {
    return spawnGroup(request, groups, file ?? "pipe");
  } finally {
    if (file !== null) closeSync(file);
  }
}

const ABORTED_BEFORE_START: ProcessEnding = {
  kind: "aborted",
  stdout: "",
  stderr: "",
  stdoutTruncated: false,
  stderrTruncated: false,
};
