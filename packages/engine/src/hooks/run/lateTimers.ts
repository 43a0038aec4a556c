/** Something that needs a timer if it is still running when the event loop turns. */
export interface Timed {
  readonly ended: boolean;
  armTimer(): void;
}

const CROWD = 64;

/** Most in-process hooks finish before the event loop turns; a timer for each would cost more than they do. */
export class LateTimers {
  #young: Timed[] = [];
  #turning = false;

  add(call: Timed): void {
    this.#young.push(call);
    // A loop of awaits may fire thousands of events before the event loop turns.
    if (this.#young.length > CROWD) this.#young = this.#young.filter(({ ended }) => !ended);
    if (this.#turning) return;
    this.#turning = true;
    setImmediate(() => {
      this.#turning = false;
      const young = this.#young;
      this.#young = [];
      for (const pending of young) if (!pending.ended) pending.armTimer();
    });
  }
}
