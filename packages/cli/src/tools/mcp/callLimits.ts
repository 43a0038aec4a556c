import { setMaxListeners } from "node:events";

/** How long a request may take, in the form in which the SDK takes it. */
export class CallLimits {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly #parent: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #deadline: number;

  constructor(timeoutMs: number, parent: AbortSignal | undefined) {
    this.timeout = Math.max(1, timeoutMs);
    this.signal = this.#controller.signal;
    setMaxListeners(0, this.signal); // the SDK adds one with every page of a list, and takes none back
    this.#parent = parent;
    this.#deadline = performance.now() + timeoutMs;
    if (parent?.aborted) this.#abort();
    parent?.addEventListener("abort", this.#abort);
  }

  get remainingMs(): number {
    return this.#deadline - performance.now();
  }

  /** The SDK never takes its listeners back; those of a session's signal would grow with every call. */
  release(): void {
    this.#parent?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort(this.#parent?.reason);
}
