import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { afterWaiting } from "./afterWaiting.ts";
import { groupExists, type ProcessGroups } from "./processGroups.ts";
import { DRAIN_MS } from "./runningProcess.ts";
import { explainStartFailure } from "./startFailure.ts";

export interface StartRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly killGraceMs: number;
}

export type ProcessExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: NodeJS.Signals };

type Child = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable };

/** Starts a long-lived process with open pipes. Rejects with a readable reason if it cannot start. */
export async function startProcess(request: StartRequest, groups: ProcessGroups): Promise<StartedProcess> {
  const [file, ...args] = request.argv;
  const { cwd, env, killGraceMs } = request;
  try {
    // Its own group, so that Ctrl-C at the terminal does not end it, and so that its children end with it.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: "pipe" });
    const { pid } = child;
    if (pid !== undefined) return new StartedProcess(child, { pid, groups, killGraceMs });
    throw await new Promise<Error>((resolve) => child.once("error", resolve));
  } catch (error) {
    throw explainStartFailure(error instanceof Error ? error : new Error(String(error)), file, cwd);
  }
}

interface Place {
  readonly pid: number;
  readonly groups: ProcessGroups;
  readonly killGraceMs: number;
}

export class StartedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves on exit, once the remaining output has been read, or shortly after: a process it left behind may hold its pipes. */
  readonly ended: Promise<ProcessExit>;
  readonly #place: Place;

  constructor(child: Child, place: Place) {
    this.pid = place.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#place = place;
    place.groups.add(place.pid);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.on("error", () => {}); // a signal that could not be sent
    this.ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#leaderExited();
        const exit: ProcessExit =
          code === null ? { kind: "killed", signal: signal ?? "SIGKILL" } : { kind: "exited", code };
        child.once("close", () => resolve(exit));
        afterWaiting(DRAIN_MS, () => {
          for (const stream of [child.stdout, child.stderr]) stream.destroy();
          resolve(exit);
        });
      });
    });
  }

  /** Ends its input; if it still runs after `leaveMs`, ends its whole group. */
  async end(leaveMs: number): Promise<ProcessExit> {
    this.stdin.end();
    const timer = setTimeout(() => this.kill(), leaveMs);
    try {
      return await this.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  kill(): void {
    const { pid, groups, killGraceMs } = this.#place;
    groups.kill(pid, killGraceMs);
  }

  #leaderExited(): void {
    const { pid, groups } = this.#place;
    groups.leaderExited(pid);
    if (groupExists(pid)) this.kill(); // orphaned children
  }
}
