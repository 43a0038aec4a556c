import { PATIENCE_MS, type Patience } from "./shortage.ts";

/** Limits how many processes run at the same time, across all callers. Waiters are served in order. */
export class ProcessSlots {
  readonly patienceMs: number;
  readonly #getMost: () => number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(getMost: () => number, patienceMs = PATIENCE_MS) {
    this.#getMost = getMost;
    this.patienceMs = patienceMs;
  }

  /** Takes a slot if one is free. */
  tryTake(): boolean {
    if (this.#taken >= this.#getMost()) return false;
    this.#taken += 1;
    return true;
  }

  /** Waits for a slot; false if there was none in time, or the caller gave up. */
  take(patience: Patience): Promise<boolean> {
    if (this.tryTake()) return Promise.resolve(true);
    const { signal, leftMs } = patience;
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (taken: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        this.#waiting.delete(serve);
        resolve(taken);
      };
      const serve = () => end(true);
      const giveUp = () => end(false);
      const timer = setTimeout(giveUp, leftMs);
      signal?.addEventListener("abort", giveUp);
      this.#waiting.add(serve);
    });
  }

  release(): void {
    this.#taken -= 1;
    for (const serve of this.#waiting) {
      if (!this.tryTake()) return;
      serve();
    }
  }
}
