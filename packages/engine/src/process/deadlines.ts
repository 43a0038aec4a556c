import { afterTimeout } from "./afterTimeout.ts";
import type { OpenRequest } from "./openRequest.ts";

/**
 * One timer for all requests to a worker. Nearly all are answered long before their deadline, and a timer for each
 * would be a large part of a request's cost.
 */
export class Deadlines {
  readonly #open = new Set<OpenRequest>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires; if no request is due by then, it is set again for the next. */
  #firesAt = Number.POSITIVE_INFINITY;

  add(request: OpenRequest): void {
    if (this.#open.size === 0) this.#timer?.ref(); // a caller waits
    this.#open.add(request);
    request.deadlines = this;
    if (request.deadline < this.#firesAt) this.#arm(request.deadline);
  }

  delete(request: OpenRequest): void {
    this.#open.delete(request);
    if (this.#open.size === 0) this.#timer?.unref(); // it must not keep a program alive
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = at;
    this.#timer = afterTimeout(Math.max(0, at - performance.now()), this.#expire);
  }

  readonly #expire = (): void => {
    this.#timer = undefined;
    this.#firesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const request of [...this.#open]) if (request.deadline <= now) request.timeOut();
    let next = Number.POSITIVE_INFINITY;
    for (const { deadline } of this.#open) next = Math.min(next, deadline);
    if (next < this.#firesAt) this.#arm(next);
  };
}
