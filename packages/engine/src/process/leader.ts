import type { Writable } from "node:stream";

/** What a process prints: a stream of Node, or of the spawner. */
export interface OutputStream {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
  off(event: "data", listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** The part of a `ChildProcess` that running a process uses. */
export interface LeaderProcess {
  readonly stdin: Writable | null;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(event: "exit", listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
  unref(): void;
}

/** A started process, which leads its own group. */
export interface Leader {
  readonly child: LeaderProcess;
  readonly pid: number;
}
