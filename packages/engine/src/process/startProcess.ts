import type { Readable, Writable } from "node:stream";
import { afterTimeout } from "./afterTimeout.ts";
import type { ProcessGroups } from "./processGroups.ts";
import { DRAIN_MS } from "./runningProcess.ts";
import { type GroupLeader, type SpawnRequest, spawnGroup } from "./spawnGroup.ts";

export interface StartRequest extends SpawnRequest {
  readonly killGraceMs: number;
}

export type ProcessExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: NodeJS.Signals };

/** Starts a long-lived process with open pipes. Rejects with a readable reason if it cannot start. */
export async function startProcess(request: StartRequest, groups: ProcessGroups): Promise<StartedProcess> {
  const leader = spawnGroup(request, groups, "pipe");
  if (leader.kind === "failed") throw await leader.cause;
  return new StartedProcess(leader, groups, request.killGraceMs);
}

export class StartedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves on exit, once the remaining output has been read, or shortly after: a process it left behind may hold its pipes. */
  readonly ended: Promise<ProcessExit>;
  readonly #groups: ProcessGroups;
  readonly #killGraceMs: number;

  constructor({ child, pid }: GroupLeader<Writable>, groups: ProcessGroups, killGraceMs: number) {
    this.pid = pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#groups = groups;
    this.#killGraceMs = killGraceMs;
    this.ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        if (groups.leaderExited(pid)) this.kill(); // orphaned children
        const exit: ProcessExit =
          code === null ? { kind: "killed", signal: signal ?? "SIGKILL" } : { kind: "exited", code };
        child.once("close", () => resolve(exit));
        afterTimeout(DRAIN_MS, () => {
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
    this.#groups.kill(this.pid, this.#killGraceMs);
  }
}
