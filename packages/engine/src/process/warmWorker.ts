import { afterTimeout } from "./afterTimeout.ts";
import { Deadlines } from "./deadlines.ts";
import { OpenRequest, type RequestEnding, type RequestKeeper, type WorkerRequest } from "./openRequest.ts";
import type { ProcessGroups } from "./processGroups.ts";
import { isShortage, Patience } from "./shortage.ts";
import type { SpawnRequest } from "./spawnGroup.ts";
import { type WorkerLimits, WorkerProcess } from "./workerProcess.ts";

export interface WarmWorkerParts {
  readonly program: SpawnRequest;
  readonly groups: ProcessGroups;
  readonly getLimits: () => WorkerLimits & { readonly idleMs: number };
  /** Called at its start; the returned function says whether the program's files are still the same. */
  readonly watchFiles: () => () => boolean;
  /** How long it may wait for descriptors to start. */
  readonly patienceMs: number;
}

/** A program that is kept running: started on first use, restarted when it died, was edited or got stuck. */
export class WarmWorker implements RequestKeeper {
  readonly #parts: WarmWorkerParts;
  #process: WorkerProcess | undefined;
  #isUnchanged = () => true;
  #starting = false;
  #isShort = false;
  readonly #deadlines = new Deadlines();
  readonly #waiting = new Set<OpenRequest>();
  readonly #leaving = new Set<WorkerProcess>();
  /** How often in a row it ended without any answer. */
  #failures = 0;
  #notBefore = 0;
  #lastUsed = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(parts: WarmWorkerParts) {
    this.#parts = parts;
  }

  /** Never rejects: whatever happens is an ending. */
  ask(request: WorkerRequest): Promise<RequestEnding> {
    if (request.signal?.aborted) return Promise.resolve(ABORTED_BEFORE_START);
    if (this.#disposed) return Promise.resolve(DISPOSED);
    return new Promise((resolve) => {
      this.#lastUsed = performance.now();
      const open = new OpenRequest(request, this, resolve);
      this.#deadlines.add(open);
      const process = this.#usable();
      if (process) process.send(open);
      else this.#wait(open);
    });
  }

  dropRequest(open: OpenRequest): void {
    this.#waiting.delete(open);
  }

  /** Empty: it has not been started. */
  readLog(): string {
    return "";
  }

  readUnfinished(): string {
    return "";
  }

  /** Ends it, and waits until it has exited, or until its time is up. */
  async dispose(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#disposed = true;
    for (const open of this.#takeWaiting()) open.settle(DISPOSED);
    const live = [...this.#leaving, ...(this.#process ? [this.#process] : [])];
    this.#process = undefined;
    for (const process of live) process.end();
    if (live.length === 0) return;
    let patience: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      // Not unref'd: nothing else keeps a program alive that awaits this.
      patience = setTimeout(resolve, LONGEST_PAUSE_MS + this.#parts.getLimits().killGraceMs);
    });
    await Promise.race([Promise.all(live.map(({ ended }) => ended)), timeUp]);
    clearTimeout(patience);
  }

  #usable(): WorkerProcess | undefined {
    const process = this.#process;
    if (!process?.takesRequests) return undefined;
    if (this.#isUnchanged()) return process;
    this.#dismiss(process); // it was edited
    return undefined;
  }

  #wait(open: OpenRequest): void {
    this.#waiting.add(open);
    if (this.#isShort) open.suspend();
    if (this.#starting) return;
    this.#starting = true;
    const pauseMs = this.#notBefore - performance.now();
    if (pauseMs <= 0) void this.#start();
    else setTimeout(() => this.#start(), pauseMs);
  }

  async #start(): Promise<void> {
    const { getLimits, watchFiles } = this.#parts;
    try {
      this.#isUnchanged = watchFiles();
      if (this.#waiting.size === 0) return;
      const process = await this.#startWhenPossible();
      if (process === undefined) return;
      if (this.#disposed) return process.end();
      this.#process = process;
      this.#watchIdle(process, getLimits().idleMs);
      for (const open of this.#takeWaiting()) process.send(open);
    } catch (cause) {
      this.#slowDown(false);
      const ending = { kind: "notStarted", cause: cause instanceof Error ? cause : new Error(String(cause)) } as const;
      for (const open of this.#takeWaiting()) open.settle(ending);
    } finally {
      this.#starting = false;
    }
  }

  /** Undefined if the caller has gone, or has waited too long. */
  async #startWhenPossible(): Promise<WorkerProcess | undefined> {
    const { program, groups, getLimits, patienceMs } = this.#parts;
    const patience = new Patience(patienceMs);
    try {
      for (;;) {
        try {
          return await WorkerProcess.start(program, { groups, limits: getLimits(), onGone: this.#onGone });
        } catch (cause) {
          if (!(cause instanceof Error) || !isShortage(cause)) throw cause;
          this.#isShort = true;
          for (const open of this.#waiting) open.suspend();
          const goesOn = await patience.pause();
          if (this.#waiting.size === 0) return undefined;
          if (goesOn) continue;
          const ending = { kind: "noCapacity", afterMs: Math.round(patience.waitedMs), cause } as const;
          for (const open of this.#takeWaiting()) open.settle(ending);
          return undefined;
        }
      }
    } finally {
      this.#isShort = false;
      for (const open of this.#waiting) open.resume();
    }
  }

  #takeWaiting(): readonly OpenRequest[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }

  readonly #onGone = (process: WorkerProcess): void => {
    this.#leaving.delete(process);
    if (this.#process !== process) return; // already dismissed
    this.#process = undefined;
    clearTimeout(this.#idleTimer);
    this.#slowDown(process.hasAnswered);
  };

  /** Restarts immediately the first time, then with growing pauses up to a limit. */
  #slowDown(hadAnswered: boolean): void {
    this.#failures = hadAnswered ? 1 : this.#failures + 1;
    const pauseMs = this.#failures < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** (this.#failures - 2));
    this.#notBefore = performance.now() + pauseMs;
  }

  #watchIdle(process: WorkerProcess, idleMs: number, leftMs = idleMs): void {
    const look = () => {
      if (this.#process !== process) return;
      const left = process.isBusy ? idleMs : idleMs - (performance.now() - this.#lastUsed);
      if (left > 0) this.#watchIdle(process, idleMs, left);
      else this.#dismiss(process);
    };
    this.#idleTimer = afterTimeout(leftMs, look).unref();
  }

  #dismiss(process: WorkerProcess): void {
    this.#process = undefined;
    this.#leaving.add(process);
    process.leave();
  }
}

const SHORTEST_PAUSE_MS = 50;
/** Requests wait for the restart, so a longer pause would delay every event. */
const LONGEST_PAUSE_MS = 1_000;

const DISPOSED: RequestEnding = { kind: "notStarted", cause: new Error("the hook system is disposed") };
const ABORTED_BEFORE_START: RequestEnding = {
  kind: "aborted",
  stdout: "",
  stderr: "",
  stdoutTruncated: false,
  stderrTruncated: false,
};
