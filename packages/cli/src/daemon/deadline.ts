import type { HookRequest } from "./wire.ts";

/** What is left for the way back to the client. */
const MARGIN_MS = 100;
/** Before that: for merging the answers of the hooks that were in time. */
const MERGE_MS = 150;

/** How long the client waits for the verdict on one call; longer while a person is being asked. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #begunAt = performance.now();
  readonly #askMs: number;
  #endsAfterMs: number;
  #timer: NodeJS.Timeout;

  constructor({ deadlineMs, askDeadlineMs }: Pick<HookRequest, "deadlineMs" | "askDeadlineMs">, gone: AbortSignal) {
    this.#askMs = Math.max(deadlineMs, askDeadlineMs);
    this.#endsAfterMs = deadlineMs;
    this.#timer = this.#abortAfter(deadlineMs);
    gone.addEventListener("abort", () => this.#controller.abort());
    if (gone.aborted) this.#controller.abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** When hooks that still run have timed out, by `performance.now()`. Of a very short deadline, hooks get half. */
  readonly hooksEndAt = (): number =>
    this.#begunAt + Math.max(this.#endsAfterMs / 2, this.#endsAfterMs - MARGIN_MS - MERGE_MS);

  get isOver(): boolean {
    return this.signal.aborted;
  }

  /** From now on a person is being asked. Returns how long that may take. */
  waitForPerson(): number {
    clearTimeout(this.#timer);
    this.#endsAfterMs = this.#askMs;
    this.#timer = this.#abortAfter(this.#askMs);
    // Less than until the abort, so that the answer says that the person was too late.
    return Math.max(0, this.#askMs - 2 * MARGIN_MS - (performance.now() - this.#begunAt));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #abortAfter(ms: number): NodeJS.Timeout {
    const left = Math.max(0, ms - MARGIN_MS - (performance.now() - this.#begunAt));
    return setTimeout(() => this.#controller.abort(), left);
  }
}
