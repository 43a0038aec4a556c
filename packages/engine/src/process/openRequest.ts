import { afterWaiting } from "./afterWaiting.ts";
import type { ProcessEnding, WorkerEnding } from "./ending.ts";

export type RequestEnding = ProcessEnding | WorkerEnding;

export interface WorkerRequest {
  readonly event: string;
  /** As JSON. */
  readonly input: string;
  readonly timeoutMs: number;
  /** By `performance.now()`: waiting for the worker to start is part of its time. */
  readonly startedAt: number;
  readonly signal: AbortSignal | undefined;
}

/** A request that is owed an ending: an answer, or the moment its caller or its timeout gave up on it. */
export class OpenRequest {
  readonly request: WorkerRequest;
  /** Set by whoever has it at the time: what to do when it is given up. */
  onGivenUp: () => void = () => {};
  /** What its worker logged since it was sent. */
  readLog: () => string = () => "";
  readonly #resolve: (ending: RequestEnding) => void;
  readonly #deadline: NodeJS.Timeout;
  #settled = false;

  constructor(request: WorkerRequest, resolve: (ending: RequestEnding) => void) {
    this.request = request;
    this.#resolve = resolve;
    const leftMs = Math.max(0, request.timeoutMs - (performance.now() - request.startedAt));
    this.#deadline = afterWaiting(leftMs, this.#timeOut);
    request.signal?.addEventListener("abort", this.#abort, { once: true });
  }

  settle(ending: RequestEnding): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.request.signal?.removeEventListener("abort", this.#abort);
    this.#resolve(ending);
  }

  readonly #timeOut = (): void => this.#giveUp({ kind: "timedOut", afterMs: this.request.timeoutMs });
  readonly #abort = (): void => this.#giveUp({ kind: "aborted" });

  #giveUp(how: { kind: "timedOut"; afterMs: number } | { kind: "aborted" }): void {
    if (this.#settled) return;
    this.settle({ ...how, stdout: "", stderr: this.readLog(), stdoutTruncated: false, stderrTruncated: false });
    this.onGivenUp();
  }
}
