import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { ProcessGroups } from "./processGroups.ts";
import { explainStartFailure } from "./startFailure.ts";

export interface SpawnRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A process that Node started, with pipes for its output. */
export interface GroupLeader<Input = Writable | null> {
  readonly kind: "started";
  readonly child: ChildProcess & { readonly stdin: Input; readonly stdout: Readable; readonly stderr: Readable };
  readonly pid: number;
}

export interface FailedSpawn {
  readonly kind: "failed";
  /** A readable reason. */
  readonly cause: Promise<Error>;
}

/**
 * Starts a process as the leader of its own group: Ctrl-C at the terminal does not end it, and its children end with it. The input
 * is a pipe or an open file.
 */
export function spawnGroup(
  request: SpawnRequest,
  groups: ProcessGroups,
  input: "pipe",
): GroupLeader<Writable> | FailedSpawn;
export function spawnGroup(
  request: SpawnRequest,
  groups: ProcessGroups,
  input: number | "pipe",
): GroupLeader | FailedSpawn;
export function spawnGroup(
  { argv: [program, ...args], cwd, env }: SpawnRequest,
  groups: ProcessGroups,
  input: number | "pipe",
): GroupLeader | FailedSpawn {
  const explained = (error: unknown) =>
    explainStartFailure(error instanceof Error ? error : new Error(String(error)), program, cwd);
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: [input, "pipe", "pipe"] });
    const { pid } = child;
    // Node throws some start failures, and emits others as an event. Then the streams may be missing.
    if (pid === undefined) {
      const cause = new Promise<Error>((resolve) => child.once("error", (error) => resolve(explained(error))));
      return { kind: "failed", cause };
    }
    if (!hasOutputs(child)) throw new Error("it has no pipes to read its output from");
    groups.add(pid);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", ignore); // it closed one of them
    child.on("error", ignore); // a signal that could not be sent
    return { kind: "started", child, pid };
  } catch (error) {
    return { kind: "failed", cause: Promise.resolve(explained(error)) };
  }
}

/** A program and our end of a socket pair; the other end is its descriptor 3. */
export interface ConnectedProcess {
  readonly child: ChildProcess;
  readonly socket: Socket;
}

/** Starts a program of ours with nothing but a socket pair, in its own session: Ctrl-C at the terminal does not end it. */
export function spawnConnected(file: string): ConnectedProcess | undefined {
  try {
    const child = spawn(file, { stdio: ["ignore", "ignore", "ignore", "pipe"], detached: true, env: {}, cwd: "/" });
    child.on("error", ignore); // it is missing, or for another kind of machine
    const socket = child.stdio[3];
    return child.pid !== undefined && socket instanceof Socket ? { child, socket } : undefined;
  } catch {
    return undefined; // short of descriptors or processes
  }
}

function hasOutputs(child: ChildProcess): child is GroupLeader["child"] {
  return child.stdout !== null && child.stderr !== null;
}

function ignore(): void {}
