import type { AbortSource } from "./abortSource.ts";

/** The machine is out of descriptors, processes or memory: temporary, and not the fault of the started program. */
const SHORTAGES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** Also checks the error's causes. */
export function isShortage(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ("code" in one && SHORTAGES.has(one.code)) return true;
  }
  return false;
}

/** How long a run waits in total for a slot and for descriptors before it gives up. */
export const PATIENCE_MS = 60_000;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/** One wait for a scarce resource. It does not count towards the hook's timeout. */
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

  /** Pauses before the next attempt, a little longer each time; false if another attempt is pointless. */
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
