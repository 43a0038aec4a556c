import { setMaxListeners } from "node:events";

/** The time limits of a request, in the SDK's form. */
export class CallLimits {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly #parent: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #deadline: number;

  constructor(timeoutMs: number, parent: AbortSignal | undefined) {
    this.timeout = Math.max(1, timeoutMs);
    this.signal = this.#controller.signal;
    setMaxListeners(0, this.signal); // the SDK adds a listener with every page of a list and never removes one
    this.#parent = parent;
    this.#deadline = performance.now() + timeoutMs;
    if (parent?.aborted) this.#abort();
    parent?.addEventListener("abort", this.#abort);
  }

  get remainingMs(): number {
    return this.#deadline - performance.now();
  }

  /** The SDK never removes its listeners; without this, a session's signal would gain some with every call. */
  release(): void {
    this.#parent?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort(this.#parent?.reason);
}
