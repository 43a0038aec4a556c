import type { Deadlines } from "./deadlines.ts";
import type { NoCapacity, ProcessEnding, WorkerEnding } from "./ending.ts";

export type RequestEnding = ProcessEnding | NoCapacity | WorkerEnding;

export interface WorkerRequest {
  readonly event: string;
  /** As JSON, in one piece or several. */
  readonly input: readonly string[];
  readonly timeoutMs: number;
  /** By `performance.now()`: waiting for the worker to start is part of its time. */
  readonly startedAt: number;
  readonly signal: AbortSignal | undefined;
  /** Told when a process is about to get the request. */
  readonly onSent?: () => void;
  /** Told how long the request waited for the descriptors to start its worker with. */
  readonly onWaited?: (ms: number) => void;
}

/** Who has the request at the time. */
export interface RequestKeeper {
  /** Nobody waits for the answer any more. */
  dropRequest(request: OpenRequest): void;
  /** What the worker logged since it was asked. */
  readLog(request: OpenRequest): string;
  /** What there is of an answer in a line that has no end yet; it may hold an objection. */
  readUnfinished(request: OpenRequest): string;
}

/** A request that is owed an ending: an answer, or the moment its caller or its timeout gave up on it. */
export class OpenRequest {
  readonly request: WorkerRequest;
  keeper: RequestKeeper;
  /** Given by the process it is sent to, with where that one's log stood. */
  id = 0;
  logPosition = 0;
  /** By `performance.now()`. */
  deadline: number;
  /** Who sees to it that the deadline is kept. */
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

  /** Takes an answer without settling: a second one to the same request may follow. True for the first. */
  addAnswer(answer: WorkerEnding): boolean {
    const before = this.#answer;
    this.#answer = before ? contradiction(before, answer) : answer;
    return before === undefined;
  }

  /** What the answers so far come to; undefined without one. */
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

  /** Its time stands still: its worker waits for descriptors. */
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

  /** Called by the caller's abort; as a method it costs no function per request. */
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

/** Two answers to one request: which one the worker means cannot be known, so only their objections count. */
function contradiction(before: WorkerEnding, answer: WorkerEnding): WorkerEnding {
  return { kind: "answeredTwice", stdout: `${printed(before)}\n${printed(answer)}`, stderr: answer.stderr };
}

function printed(answer: WorkerEnding): string {
  if (answer.kind === "answeredTwice") return answer.stdout;
  return "line" in answer ? answer.line : "";
}
