import { setMaxListeners } from "node:events";
import { debug } from "../record/debugLine.ts";

type Run = () => Promise<unknown>;

/**
 * Hooks that do not block. They never delay an answer: each hook runs one event at a time, in the order of the events, and
 * all of them together stay within `maxParallel`, so that they cannot take every process slot from the guards. A program that
 * exits can wait for them or abort them.
 */
export class BackgroundRuns {
  readonly #getMost: () => number;
  /** Waiting runs, by hook. A running hook is not among the ready ones. */
  readonly #waiting = new Map<object, Run[]>();
  readonly #ready = new Set<object>();
  readonly #running = new Map<object, Promise<unknown>>();
  #abandon = abortController();

  constructor(getMost: () => number) {
    this.#getMost = getMost;
  }

  start(hook: object, run: (signal: AbortSignal) => Promise<unknown>): void {
    const { signal } = this.#abandon;
    const waiting = this.#waiting.get(hook) ?? [];
    waiting.push(() => run(signal));
    this.#waiting.set(hook, waiting);
    if (!this.#running.has(hook)) this.#ready.add(hook);
    this.#startReady();
  }

  async settle(signal?: AbortSignal): Promise<void> {
    const onAbort = () => this.abandon();
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
    signal?.removeEventListener("abort", onAbort);
  }

  /** Aborts those that run or wait now; hooks of later events still run. */
  abandon(): void {
    this.#abandon.abort();
    this.#abandon = abortController();
  }

  #startReady(): void {
    for (const hook of this.#ready) {
      if (this.#running.size >= this.#getMost()) return;
      this.#ready.delete(hook);
      const runs = this.#waiting.get(hook) ?? [];
      this.#waiting.delete(hook);
      this.#running.set(hook, this.#runAll(hook, runs));
    }
  }

  /** Runs in order. Runs added in the meantime wait for the hook's next turn, after the hooks that are ready. */
  async #runAll(hook: object, runs: readonly Run[]): Promise<void> {
    for (const run of runs) await run().catch((error: unknown) => debug("a background hook failed: %s", error));
    this.#running.delete(hook);
    if (this.#waiting.has(hook)) this.#ready.add(hook);
    this.#startReady();
  }
}

/** Without a listener limit: every run listens to the signal. */
function abortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
