import type { AbortSource } from "./abortSource.ts";

/** The machine is out of descriptors, processes or memory: a matter of time, and not the fault of what was to be started. */
const SHORTAGES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** Also where such an error is the cause of another. */
export function isShortage(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ("code" in one && SHORTAGES.has(one.code)) return true;
  }
  return false;
}

/** How long a run waits for a slot and for descriptors, all together, before it counts as not to be had. */
export const PATIENCE_MS = 60_000;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/** One wait for something that is short. Its time is not the time of the hook that waits. */
export class Patience {
  readonly limitMs: number;
  readonly signal: AbortSource | undefined;
  readonly #startedAt = performance.now();
  #pauseMs = SHORTEST_PAUSE_MS;

  constructor(limitMs: number, signal?: AbortSource) {
    this.limitMs = limitMs;
    this.signal = signal;
  }

  get waitedMs(): number {
    return performance.now() - this.#startedAt;
  }

  get leftMs(): number {
    return Math.max(0, this.limitMs - this.waitedMs);
  }

  /** Pauses before the next attempt, a little longer each time; false when there is no point in another. */
  async pause(): Promise<boolean> {
    if (this.leftMs === 0 || this.signal?.aborted) return false;
    const ms = Math.min(this.#pauseMs * (1 + Math.random()), this.leftMs);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.signal?.addEventListener("abort", end);
    });
    return !this.signal?.aborted;
  }
}
