import type { Deadlines } from "./deadlines.ts";
import type { NoCapacity, ProcessEnding, WorkerEnding } from "./ending.ts";

export type RequestEnding = ProcessEnding | NoCapacity | WorkerEnding;

export interface WorkerRequest {
  readonly event: string;
  /** JSON, in one piece or several. */
  readonly input: readonly string[];
  readonly timeoutMs: number;
  /** From `performance.now()`: waiting for the worker to start counts towards the timeout. */
  readonly startedAt: number;
  readonly signal: AbortSignal | undefined;
  /** Called when the request is about to be sent to a process. */
  readonly onSent?: () => void;
  /** Called with the time that the request waited for descriptors to start its worker. */
  readonly onWaited?: (ms: number) => void;
}

/** The current holder of the request. */
export interface RequestKeeper {
  /** The answer is no longer awaited. */
  dropRequest(request: OpenRequest): void;
  /** What the worker logged since the request. */
  readLog(request: OpenRequest): string;
  /** The part of an answer in an unfinished line; it may contain an objection. */
  readUnfinished(request: OpenRequest): string;
}

/** A request that will get an ending: an answer, an abort by its caller, or a timeout. */
export class OpenRequest {
  readonly request: WorkerRequest;
  keeper: RequestKeeper;
  /** Set by the process it is sent to, with the current position of that process's log. */
  id = 0;
  logPosition = 0;
  /** From `performance.now()`. */
  deadline: number;
  /** Enforces the deadline. */
  deadlines: Deadlines | undefined;
  readonly #resolve: (ending: RequestEnding) => void;
  #answer: WorkerEnding | undefined;
  #suspendedAt: number | undefined;
  #settled = false;

  constructor(request: WorkerRequest, keeper: RequestKeeper, resolve: (ending: RequestEnding) => void) {
    this.request = request;
    this.keeper = keeper;
    this.#resolve = resolve;
    this.deadline = request.startedAt + request.timeoutMs;
    request.signal?.addEventListener("abort", this, { once: true });
  }

  /** Stores an answer without settling: a second answer to the same request may follow. True for the first. */
  addAnswer(answer: WorkerEnding): boolean {
    const before = this.#answer;
    this.#answer = before ? contradiction(before, answer) : answer;
    return before === undefined;
  }

  /** The combined result of the answers so far; undefined without one. */
  get answer(): WorkerEnding | undefined {
    return this.#answer;
  }

  settle(ending: RequestEnding): void {
    if (this.#settled) return;
    this.#settled = true;
    this.deadlines?.delete(this);
    this.request.signal?.removeEventListener("abort", this);
    this.#resolve(ending);
  }

  /** Stops the clock: its worker waits for descriptors. */
  suspend(): void {
    this.#suspendedAt ??= performance.now();
    this.deadlines?.delete(this);
  }

  resume(): void {
    if (this.#suspendedAt === undefined) return;
    const waitedMs = performance.now() - this.#suspendedAt;
    this.#suspendedAt = undefined;
    this.deadline += waitedMs;
    this.request.onWaited?.(waitedMs);
    this.deadlines?.add(this);
  }

  timeOut(): void {
    this.#giveUp({ kind: "timedOut", afterMs: this.request.timeoutMs });
  }

  /** Called on the caller's abort; a method avoids a closure per request. */
  handleEvent(): void {
    this.#giveUp({ kind: "aborted" });
  }

  #giveUp(how: { kind: "timedOut"; afterMs: number } | { kind: "aborted" }): void {
    if (this.#settled) return;
    const { answer } = this;
    if (answer) {
      this.settle(answer);
      return;
    }
    const stderr = this.keeper.readLog(this);
    const stdout = this.keeper.readUnfinished(this);
    this.settle({ ...how, stdout, stderr, stdoutTruncated: false, stderrTruncated: false });
    this.keeper.dropRequest(this);
  }
}

/** Two answers to one request: it is unknown which one is right, so only their objections count. */
function contradiction(before: WorkerEnding, answer: WorkerEnding): WorkerEnding {
  return { kind: "answeredTwice", stdout: `${printed(before)}\n${printed(answer)}`, stderr: answer.stderr };
}

function printed(answer: WorkerEnding): string {
  if (answer.kind === "answeredTwice") return answer.stdout;
  return "line" in answer ? answer.line : "";
}
