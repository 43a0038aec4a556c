import type { AbortSource } from "./abortSource.ts";
import { afterTimeout } from "./afterTimeout.ts";
import { Capture } from "./capture.ts";
import { decodeStream } from "./decodeStream.ts";
import type { Captured, ProcessEnding } from "./ending.ts";
import type { Leader } from "./leader.ts";
import { groupExists, type ProcessGroups } from "./processGroups.ts";

export interface Limits {
  readonly timeoutMs: number;
  readonly killGraceMs: number;
  readonly outputLimitBytes: number;
  /** Whether to report what a hook left in the background; the check costs as much as the rest of the ending. */
  readonly reportLeftBehind: boolean;
  readonly signal?: AbortSource;
  /** Called with its output as it arrives, also beyond the limit; no character is split between two calls. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
}

interface Start extends Leader {
  readonly groups: ProcessGroups;
  readonly limits: Limits;
  readonly resolve: (ending: ProcessEnding) => void;
}

type Exit = { kind: "exited"; code: number } | { kind: "killed"; signal: NodeJS.Signals };
type GivenUp = { kind: "timedOut"; afterMs: number } | { kind: "aborted" };

/** How long to wait for remaining output after an exit. */
export const DRAIN_MS = 100;

/** A started process up to its ending: its exit and output, or the moment we gave up on it. */
export class RunningProcess {
  readonly #start: Start;
  readonly #stdout: Capture;
  readonly #stderr: Capture;
  readonly #deadline: NodeJS.Timeout;
  #drain: NodeJS.Timeout | undefined;
  #exit: Exit | undefined;
  #settled = false;

  constructor(start: Start) {
    const { child, limits } = start;
    this.#start = start;
    const { onOutput } = limits;
    if (onOutput) {
      const passOn = (stream: "stdout" | "stderr") => (text: string) => {
        if (!this.#settled) onOutput(text, stream);
      };
      decodeStream(child.stdout, passOn("stdout"));
      decodeStream(child.stderr, passOn("stderr"));
    }
    this.#stdout = new Capture(child.stdout, limits.outputLimitBytes, this.#finishIfDrained);
    this.#stderr = new Capture(child.stderr, limits.outputLimitBytes, this.#finishIfDrained);
    this.#deadline = afterTimeout(limits.timeoutMs, this.#timeOut);
    limits.signal?.addEventListener("abort", this.#abort);
    child.on("exit", this.#onExit);
    if (limits.signal?.aborted) this.#abort(); // while the process was being started
  }

  readonly #onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
    const { groups, pid, limits } = this.#start;
    if (this.#settled || code === null) groups.leaderExited(pid);
    else groups.delete(pid);
    if (this.#settled) return;
    if (code === null) {
      groups.kill(pid, limits.killGraceMs); // this ending does not report leftovers, so leave none
      this.#exit = { kind: "killed", signal: signal ?? "SIGKILL" };
    } else {
      this.#exit = { kind: "exited", code };
    }
    clearTimeout(this.#deadline);
    this.#finishIfDrained();
    if (!this.#settled) this.#drain = afterTimeout(DRAIN_MS, this.#finish);
  };

  readonly #finishIfDrained = (): void => {
    if (this.#stdout.ended && this.#stderr.ended) this.#finish();
  };

  readonly #finish = (): void => {
    if (this.#settled || !this.#exit) return;
    if (this.#exit.kind === "killed") {
      this.#settle({ ...this.#exit, ...this.#captured() });
      this.#drainUntilGone();
    } else {
      const { pid, limits } = this.#start;
      const leftBehind = !this.#stdout.ended || !this.#stderr.ended || (limits.reportLeftBehind && groupExists(pid));
      this.#settle({ ...this.#exit, leftBehind, ...this.#captured() });
      // Closing the pipes would kill the remaining processes at their next line of output.
      this.#stdout.ignoreRest();
      this.#stderr.ignoreRest();
    }
  };

  readonly #timeOut = (): void => {
    if (!this.#exit) this.#giveUp({ kind: "timedOut", afterMs: this.#start.limits.timeoutMs });
  };

  readonly #abort = (): void => this.#giveUp({ kind: "aborted" });

  #giveUp(how: GivenUp): void {
    if (this.#settled) return;
    const { child, pid, groups, limits } = this.#start;
    groups.kill(pid, limits.killGraceMs);
    this.#settle({ ...how, ...this.#captured() });
    this.#drainUntilGone();
    child.unref(); // the groups kill it, even if the caller's process exits first
  }

  #settle(ending: ProcessEnding): void {
    const { child, limits, resolve } = this.#start;
    this.#settled = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#drain);
    limits.signal?.removeEventListener("abort", this.#abort);
    child.stdin?.destroy();
    resolve(ending);
  }

  /** Keeps pipes open: a closed one would kill a hook that prints while it cleans up. Stops waiting once the group is gone. */
  #drainUntilGone(): void {
    const pipes = [this.#stdout, this.#stderr];
    for (const pipe of pipes) pipe.ignoreRest();
    const close = () => {
      for (const pipe of pipes) pipe.close();
    };
    setTimeout(close, this.#start.limits.killGraceMs + DRAIN_MS).unref();
  }

  #captured(): Captured {
    return {
      stdout: this.#stdout.text(),
      stderr: this.#stderr.text(),
      stdoutTruncated: this.#stdout.truncated,
      stderrTruncated: this.#stderr.truncated,
    };
  }
}
