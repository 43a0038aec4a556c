import { afterTimeout } from "./afterTimeout.ts";

/** How long a cancelled request may stay unanswered before its worker counts as stuck. */
const CANCEL_MS = 1_000;

/** Cancels sent to a worker and not answered yet. */
export class OpenCancels {
  readonly #patience = new Map<number, NodeJS.Timeout>();
  readonly #onStuck: () => void;

  constructor(onStuck: () => void) {
    this.#onStuck = onStuck;
  }

  add(id: number): void {
    const stuck = () => {
      if (this.#patience.has(id)) this.#onStuck();
    };
    this.#patience.set(id, afterTimeout(CANCEL_MS, stuck).unref());
  }

  /** False if there was no open cancel for that request. */
  answered(id: number): boolean {
    clearTimeout(this.#patience.get(id));
    return this.#patience.delete(id);
  }

  clear(): void {
    for (const patience of this.#patience.values()) clearTimeout(patience);
    this.#patience.clear();
  }
}
