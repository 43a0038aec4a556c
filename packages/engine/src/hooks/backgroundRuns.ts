import { debug } from "./debugLine.ts";

/** Hooks nobody waits for: they never delay an answer, and a program that ends can still wait for them or cut them off. */
export class BackgroundRuns {
  readonly #running = new Set<Promise<unknown>>();
  #abandon = new AbortController();

  start(run: (signal: AbortSignal) => Promise<unknown>): void {
    const running = run(this.#abandon.signal).catch((error: unknown) => debug("a background hook failed: %s", error));
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  async settle(signal?: AbortSignal): Promise<void> {
    const onAbort = () => this.abandon();
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    signal?.removeEventListener("abort", onAbort);
  }

  /** Those that run now; hooks of later events run as before. */
  abandon(): void {
    this.#abandon.abort();
    this.#abandon = new AbortController();
  }
}
