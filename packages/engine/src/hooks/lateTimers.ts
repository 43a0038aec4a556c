/** Something that wants a timer if it is still running when the event loop turns. */
export interface Timed {
  armTimer(): void;
}

/** Most in-process hooks are done before the event loop turns; a timer for each would cost more than they do. */
export class LateTimers {
  readonly #young = new Set<Timed>();
  #turning = false;

  add(call: Timed): void {
    this.#young.add(call);
    if (this.#turning) return;
    this.#turning = true;
    setImmediate(() => {
      this.#turning = false;
      for (const pending of this.#young) pending.armTimer();
      this.#young.clear();
    });
  }

  delete(call: Timed): void {
    this.#young.delete(call);
  }
}
