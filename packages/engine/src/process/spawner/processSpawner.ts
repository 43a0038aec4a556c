import { constants } from "node:os";
import { afterTimeout } from "../afterTimeout.ts";
import type { Leader } from "../leader.ts";
import { type SendSignal, signalGroup } from "../processGroups.ts";
import type { SpawnRequest } from "../spawnGroup.ts";
import { canBeSent, encodeRun } from "./runRequest.ts";
import { SpawnedOutput, SpawnedProcess } from "./spawnedProcess.ts";
import { SpawnerConnection } from "./spawnerConnection.ts";
import { encodeFrame, type Frame, numberAt, numbers, REPORT, REQUEST } from "./spawnerFrames.ts";
import { SpawnerInput } from "./spawnerInput.ts";
import { deliver, startFailure } from "./spawnerReports.ts";

export interface SpawnedRequest extends SpawnRequest {
  readonly input: Uint8Array;
  /** Of each output; the rest is dropped. */
  readonly wantedBytes: number;
}

/** What becomes of a request: one of these is called, once. */
export interface SpawnOutcome {
  started(leader: Leader, send: SendSignal): void;
  failed(cause: Error): void;
  /** The spawner cannot do it, or is gone, and nothing of it runs: start it without the spawner. */
  unable(): void;
}

export interface SpawnerOptions {
  /** How long the spawner may take to start a process or to send a signal. Guards must also run if it has been stopped. */
  readonly patienceMs?: number;
}

/** What the spawner has not answered yet. */
interface Owed {
  settle(): void;
  /** What is done without the spawner. */
  otherwise(): void;
}

interface Run {
  readonly request: SpawnedRequest;
  readonly outcome: SpawnOutcome;
  readonly process: SpawnedProcess;
  /** The start, then signals, in the order of the answers. */
  readonly owed: Owed[];
  /** Whether it keeps the caller's process alive. */
  isAwaited: boolean;
}

interface Target extends Pick<Run, "process" | "owed"> {
  readonly id: number;
  readonly pid: number;
}

/** Starting the spawner costs as much as starting a process. */
const PAYS_FROM = 3;
/** After it was lost: what kills it may do so again and again. */
const MOST_STARTS = 4;
const PATIENCE_MS = 5_000;

/**
 * Starts processes through `hookline-spawn` (`packages/spawner`), which takes half the time and a tenth of it on this thread: Node forks,
 * and what that costs grows with the memory in use. The caller starts the first few itself, and all where the spawner is missing or gone.
 */
export class ProcessSpawner {
  readonly #file: string | undefined;
  readonly #patienceMs: number;
  readonly #runs = new Map<number, Run>();
  readonly #input = new SpawnerInput();
  #state: "unused" | "starting" | "ready" | "gone" = "unused";
  #connection: SpawnerConnection | undefined;
  #asked = 0;
  #starts = 0;
  #lastId = 0;
  #awaited = 0;
  #isClosing = false;

  constructor(file: string | undefined, { patienceMs = PATIENCE_MS }: SpawnerOptions = {}) {
    this.#file = file;
    this.#patienceMs = patienceMs;
  }

  /** Whether `run` may be called with this request. Asked often enough, the spawner starts. */
  isReadyFor(request: SpawnRequest): boolean {
    if (this.#state === "unused" && ++this.#asked >= PAYS_FROM) this.#start();
    return this.#state === "ready" && canBeSent(request);
  }

  run(request: SpawnedRequest, outcome: SpawnOutcome): void {
    const id = ++this.#lastId;
    const input = this.#input.replace(request.input);
    const run = {
      request,
      outcome,
      process: this.#processOf(id),
      owed: [this.#expectAnswer(() => outcome.unable())],
      isAwaited: true,
    };
    this.#runs.set(id, run);
    if (++this.#awaited === 1) this.#connection?.ref();
    const asked = encodeRun(id, request, request.wantedBytes);
    this.#connection?.send(input ? Buffer.concat([input, asked]) : asked);
  }

  /** It ends once nothing is left of what it has started: a hook may have left something in the background that prints. */
  dispose(): void {
    this.#isClosing = true;
    this.#closeIfIdle();
  }

  #start(): void {
    this.#starts += 1;
    const listener = { onFrame: (frame: Frame) => this.#take(frame), onLost: () => this.#lose() };
    this.#connection = this.#file === undefined ? undefined : SpawnerConnection.open(this.#file, listener);
    this.#state = this.#connection ? "starting" : "gone";
  }

  #processOf(id: number): SpawnedProcess {
    const output = (which: number) => {
      const ask = (kind: number) => () => {
        this.#connection?.send(encodeFrame(kind, id, Uint8Array.of(which)));
        this.#forgetIfOver(id);
      };
      return new SpawnedOutput({ drop: ask(REQUEST.dropOutput), close: ask(REQUEST.closeOutput) });
    };
    return new SpawnedProcess(output(REPORT.stdout), output(REPORT.stderr), () => this.#letGo(this.#runs.get(id)));
  }

  #take(frame: Frame): void {
    const { kind, id, body } = frame;
    if (kind === REPORT.ready) this.#state = "ready";
    const run = this.#runs.get(id);
    if (run && kind === REPORT.started) this.#started(id, run, numberAt(body, 0));
    else if (run && kind === REPORT.signalled) run.owed.shift()?.settle();
    else if (run && (kind === REPORT.failed || kind === REPORT.unable)) {
      this.#forget(id, run);
      if (kind === REPORT.failed) run.outcome.failed(startFailure(frame, run.request));
      else run.outcome.unable();
    } else if (run) {
      deliver(run.process, frame);
      if (run.process.hasExited) this.#letGo(run);
      this.#forgetIfOver(id);
    }
  }

  #started(id: number, run: Run, pid: number): void {
    run.owed.shift()?.settle();
    const target = { id, pid, process: run.process, owed: run.owed };
    run.outcome.started({ child: run.process, pid }, (name) => this.#sendSignal(target, name));
  }

  /**
   * Until we hear of its exit, only the spawner knows whether a process has been reaped, and its id may be that of another one. What is left of
   * a group after that gets the signal from us, as it does when the spawner is lost.
   */
  #sendSignal({ id, pid, process, owed }: Target, name: NodeJS.Signals): void {
    const sendItself = () => signalGroup(pid, name);
    if (this.#state === "gone" || process.hasExited) {
      sendItself();
      return;
    }
    owed.push(this.#expectAnswer(sendItself));
    const { [name]: number } = constants.signals;
    this.#connection?.send(encodeFrame(REQUEST.sendSignal, id, numbers(pid, number)));
  }

  /** A spawner that does not answer is ended, and everything goes on without it. */
  #expectAnswer(otherwise: () => void): Owed {
    let isSettled = false;
    const giveUp = () => {
      if (!isSettled) this.#connection?.close();
    };
    const timer = afterTimeout(this.#patienceMs, giveUp).unref();
    const settle = () => {
      isSettled = true;
      clearTimeout(timer);
    };
    return { settle, otherwise };
  }

  /** It no longer keeps the caller's process alive. */
  #letGo(run: Run | undefined): void {
    if (!run?.isAwaited) return;
    run.isAwaited = false;
    if (--this.#awaited > 0) return;
    const frame = this.#input.forget();
    if (frame) this.#connection?.send(frame);
    this.#connection?.unref();
  }

  #forgetIfOver(id: number): void {
    const run = this.#runs.get(id);
    if (run?.process.isOver) this.#forget(id, run);
  }

  #forget(id: number, run: Run): void {
    this.#runs.delete(id);
    for (const { settle } of run.owed.splice(0)) settle();
    this.#letGo(run);
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (this.#isClosing && this.#runs.size === 0) this.#connection?.close();
  }

  /** Its processes do not outlive it: nothing would read what they print. */
  #lose(): void {
    const mayRestart = !this.#isClosing && this.#state === "ready" && this.#starts < MOST_STARTS;
    this.#state = mayRestart ? "unused" : "gone";
    this.#asked = PAYS_FROM - 1;
    this.#input.forget();
    for (const [id, run] of this.#runs) {
      const unanswered = [...run.owed];
      this.#forget(id, run);
      run.process.stdout.end();
      run.process.stderr.end();
      run.process.exit(null, "SIGKILL");
      for (const { otherwise } of unanswered) otherwise();
    }
  }
}
