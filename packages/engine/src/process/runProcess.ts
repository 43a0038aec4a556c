import { closeSync } from "node:fs";
import type { ProcessEnding } from "./ending.ts";
import { openInputFile } from "./inputFile.ts";
import type { ProcessGroups } from "./processGroups.ts";
import { type Limits, RunningProcess } from "./runningProcess.ts";
import type { ProcessSpawner } from "./spawner/processSpawner.ts";
import { type FailedSpawn, type GroupLeader, type SpawnRequest, spawnGroup } from "./spawnGroup.ts";

export interface ProcessRequest extends SpawnRequest, Limits {
  readonly stdin: Uint8Array | string;
  /** Feed it through a pipe even if a file in memory is possible. */
  readonly pipeInput?: boolean;
}

/** What four bytes of a request can say. */
const MOST_WANTED_BYTES = 2 ** 32 - 1;

/**
 * Never rejects: whatever happens to the process is an ending, and it comes in time even if another process holds a pipe open. With a
 * spawner, it starts the process if it can.
 */
export function runProcess(
  request: ProcessRequest,
  groups: ProcessGroups,
  spawner?: ProcessSpawner,
): Promise<ProcessEnding> {
  if (request.signal?.aborted) return Promise.resolve(ABORTED_BEFORE_START);
  const isForSpawner = !request.pipeInput && !request.onOutput;
  if (spawner && isForSpawner && spawner.isReadyFor(request)) return runBySpawner(request, groups, spawner);
  return runByNode(request, groups);
}

function runBySpawner(request: ProcessRequest, groups: ProcessGroups, spawner: ProcessSpawner): Promise<ProcessEnding> {
  const { argv, cwd, env, outputLimitBytes } = request;
  // One byte more than is kept tells whether there was more.
  const wantedBytes = Math.min(outputLimitBytes + 1, MOST_WANTED_BYTES);
  const asked = { argv, cwd, env, input: bytesOf(request.stdin), wantedBytes };
  return new Promise((resolve) => {
    spawner.run(asked, {
      started: (leader, signal) => {
        groups.add(leader.pid, signal);
        new RunningProcess({ ...leader, groups, limits: request, resolve });
      },
      failed: (cause) => resolve({ kind: "notStarted", cause }),
      unable: () => resolve(request.signal?.aborted ? ABORTED_BEFORE_START : runByNode(request, groups)),
    });
  });
}

function runByNode(request: ProcessRequest, groups: ProcessGroups): Promise<ProcessEnding> {
  const leader = start(request, groups);
  if (leader.kind === "failed") return leader.cause.then((cause) => ({ kind: "notStarted", cause }));
  leader.child.stdin?.end(request.stdin); // first: the hook is waiting for it
  return new Promise((resolve) => {
    new RunningProcess({ ...leader, groups, limits: request, resolve });
  });
}

function start(request: ProcessRequest, groups: ProcessGroups): GroupLeader | FailedSpawn {
  const { stdin, pipeInput } = request;
  const file = pipeInput ? null : openInputFile(bytesOf(stdin));
  try {
    return spawnGroup(request, groups, file ?? "pipe");
  } finally {
    if (file !== null) closeSync(file);
  }
}

function bytesOf(input: Uint8Array | string): Uint8Array {
  return typeof input === "string" ? Buffer.from(input) : input;
}

const ABORTED_BEFORE_START: ProcessEnding = {
  kind: "aborted",
  stdout: "",
  stderr: "",
  stdoutTruncated: false,
  stderrTruncated: false,
};
