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

/** Who has the request at the time. */
export interface RequestKeeper {
  /** Nobody waits for the answer any more. */
  dropRequest(request: OpenRequest): void;
  /** What the worker logged since it was asked. */
  readLog(request: OpenRequest): string;
}

/** A request that is owed an ending: an answer, or the moment its caller or its timeout gave up on it. */
export class OpenRequest {
  readonly request: WorkerRequest;
  keeper: RequestKeeper;
  /** Given by the process it is sent to, with where that one's log stood. */
  id = 0;
  logPosition = 0;
  readonly #resolve: (ending: RequestEnding) => void;
  readonly #deadline: NodeJS.Timeout;
  #settled = false;

  constructor(request: WorkerRequest, keeper: RequestKeeper, resolve: (ending: RequestEnding) => void) {
    this.request = request;
    this.keeper = keeper;
    this.#resolve = resolve;
    const leftMs = Math.max(0, request.timeoutMs - (performance.now() - request.startedAt));
    this.#deadline = afterWaiting(leftMs, timeOut, this);
    request.signal?.addEventListener("abort", this, { once: true });
  }

  settle(ending: RequestEnding): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.request.signal?.removeEventListener("abort", this);
    this.#resolve(ending);
  }

  giveUp(how: { kind: "timedOut"; afterMs: number } | { kind: "aborted" }): void {
    if (this.#settled) return;
    const stderr = this.keeper.readLog(this);
    this.settle({ ...how, stdout: "", stderr, stdoutTruncated: false, stderrTruncated: false });
    this.keeper.dropRequest(this);
  }

  /** Called by the caller's abort; as a method it costs no function per request. */
  handleEvent(): void {
    this.giveUp({ kind: "aborted" });
  }
}

function timeOut(open: OpenRequest): void {
  open.giveUp({ kind: "timedOut", afterMs: open.request.timeoutMs });
}
