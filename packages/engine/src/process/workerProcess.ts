import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { afterTimeout } from "./afterTimeout.ts";
import { Lines } from "./lines.ts";
import { LogTail } from "./logTail.ts";
import { OpenCancels } from "./openCancels.ts";
import type { OpenRequest, RequestKeeper } from "./openRequest.ts";
import type { ProcessGroups } from "./processGroups.ts";
import { randomRequestId } from "./requestIds.ts";
import { DRAIN_MS } from "./runningProcess.ts";
import { ScratchBuffer } from "./scratchBuffer.ts";
import { type GroupLeader, type SpawnRequest, spawnGroup } from "./spawnGroup.ts";
import { readWorkerLine } from "./workerAnswer.ts";

export interface WorkerLimits {
  readonly killGraceMs: number;
  readonly outputLimitBytes: number;
}

interface Owner {
  readonly groups: ProcessGroups;
  readonly limits: WorkerLimits;
  /** It accepts no more requests: it has ended, or was given up. */
  readonly onGone: (process: WorkerProcess) => void;
}

type Death = { readonly how: string; readonly exitCode?: number; readonly signal?: NodeJS.Signals };

/** How long a worker has to exit after its input has ended. */
const LEAVE_MS = 200;

const LONG_INPUT = 32 * 1024;

/** Node's read size for pipes. */
const FULL_CHUNK = 64 * 1024;
const NEWLINE = 10;

/** One warm process, from start to end. All its handles are unref'd: an idle worker keeps no process alive. */
export class WorkerProcess implements RequestKeeper {
  /** Whether it has ever answered: if not, it is restarted with growing pauses. */
  hasAnswered = false;
  readonly ended: Promise<void>;
  readonly #child: GroupLeader<Writable>["child"];
  readonly #pid: number;
  readonly #owner: Owner;
  readonly #log = new LogTail();
  readonly #scratch = new ScratchBuffer();
  readonly #lines: Lines;
  readonly #open = new Map<number, OpenRequest>();
  readonly #cancels = new OpenCancels(() =>
    this.#giveUp({ how: "was ended, because it did not answer a cancel within 1 s" }),
  );
  /** Answered requests, to be settled once everything that the worker wrote with the answer has been read. */
  readonly #answered: OpenRequest[] = [];
  #leaving = false;
  #gone = false;
  #death: Death | undefined;
  #markEnded: () => void = () => {};

  /** Throws a readable reason if it cannot start. */
  static async start(program: SpawnRequest, owner: Owner): Promise<WorkerProcess> {
    const leader = spawnGroup(program, owner.groups, "pipe");
    if (leader.kind === "failed") throw await leader.cause;
    return new WorkerProcess(leader, owner);
  }

  private constructor({ child, pid }: GroupLeader<Writable>, owner: Owner) {
    this.#child = child;
    this.#pid = pid;
    this.#owner = owner;
    this.#lines = new Lines(owner.limits.outputLimitBytes, this.#readLine);
    this.ended = new Promise((resolve) => {
      this.#markEnded = resolve;
    });
    child.stdout.on("data", this.#read);
    child.stdout.on("end", () => this.#noMoreAnswers({ how: "closed its output" }));
    child.stderr.on("data", (chunk: Buffer) => this.#log.addChunk(chunk));
    for (const stream of [child.stdout, child.stderr]) stream.on("end", this.#goneIfDrained);
    child.stdin.on("error", () => this.#noMoreAnswers({ how: "closed its input" }));
    child.on("exit", this.#onExit);
    child.unref();
    for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  get takesRequests(): boolean {
    return !this.#leaving && !this.#gone && this.#death === undefined;
  }

  send(open: OpenRequest): void {
    open.request.onSent?.();
    open.id = randomRequestId();
    open.logPosition = this.#log.position;
    open.keeper = this;
    this.#open.set(open.id, open);
    const { stdin } = this.#child;
    const { event, input } = open.request;
    const head = `{"id":${open.id},"event":${JSON.stringify(event)},"input":`;
    const [only = ""] = input;
    if (input.length === 1 && only.length < LONG_INPUT) {
      stdin.write(`${head}${only}}\n`);
      return;
    }
    const line = this.#scratch.encode([head, ...input, "}\n"]);
    stdin.write(line, () => this.#scratch.giveBack(line));
  }

  /** For a caller whose request failed. */
  readLog(open: OpenRequest): string {
    const hint = "(it has not answered anything yet; a worker must answer every line it reads with one line)\n";
    return this.#logged(open) + (this.hasAnswered ? "" : hint);
  }

  readUnfinished({ id }: OpenRequest): string {
    const { unfinished } = this.#lines;
    return readWorkerLine(unfinished, false, (open) => open === id)?.id === id ? unfinished : "";
  }

  dropRequest({ id }: OpenRequest): void {
    this.#open.delete(id);
    if (this.#gone) return;
    this.#child.stdin.write(`{"cancel":${id}}\n`);
    this.#cancels.add(id);
    if (this.#leaving) this.leave();
  }

  /** Accepts no more requests; ends once the open ones have been answered. */
  leave(): void {
    this.#leaving = true;
    if (this.#open.size > 0 || this.#child.stdin.writableEnded) return;
    this.#child.stdin.end();
    setTimeout(() => this.#kill(), LEAVE_MS).unref();
  }

  /** Ends it now; open requests fail. */
  end(): void {
    if (this.isBusy) this.#giveUp({ how: "was ended together with the hook system" });
    else this.leave();
  }

  /** Gives it up: open requests fail with the reason. */
  #giveUp(death: Death): void {
    this.#kill();
    this.#goneWith(death);
  }

  #logged({ logPosition }: OpenRequest): string {
    return this.#log.since(logPosition);
  }

  #kill(): void {
    this.#owner.groups.kill(this.#pid, this.#owner.limits.killGraceMs);
  }

  readonly #isOpen = (id: number): boolean => this.#open.has(id);

  readonly #readLine = (text: string, truncated: boolean): void => {
    const answer = readWorkerLine(text, truncated, this.#isOpen);
    if (answer === undefined) {
      this.#log.add(`${text}\n`);
      return;
    }
    const { id, ending } = answer;
    const open = this.#open.get(id);
    if (open) {
      this.hasAnswered = true;
      const stderr = this.#logged(open);
      if (open.addAnswer(stderr === "" ? ending : { ...ending, stderr })) this.#answered.push(open);
    } else if (!this.#cancels.answered(id)) {
      this.#log.add(`(it answered request ${id}, which is not open)\n`);
    }
  };

  /** A second answer to a request may be in the same chunk, or in the rest of the worker's output. */
  readonly #read = (chunk: Buffer): void => {
    this.#lines.push(chunk);
    if (this.#answered.length === 0) return;
    if (chunk.length < FULL_CHUNK && chunk[chunk.length - 1] === NEWLINE) this.#settleAnswered();
    else setImmediate(() => setImmediate(this.#settleAnswered)); // the pipe is read once more between the two
  };

  readonly #settleAnswered = (): void => {
    for (const open of this.#answered) {
      this.#open.delete(open.id);
      if (open.answer) open.settle(open.answer);
    }
    this.#answered.length = 0;
    if (this.#leaving) this.leave();
  };

  readonly #onExit = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
    if (this.#owner.groups.leaderExited(this.#pid)) this.#kill(); // orphaned children
    this.#death =
      exitCode === null
        ? { how: `was killed by ${signal}`, signal: signal ?? "SIGKILL" }
        : { how: `exited with code ${exitCode} before it answered`, exitCode };
    this.#markEnded();
    // Its last answers and log lines may still be in the pipes.
    this.#goneIfDrained();
    afterTimeout(DRAIN_MS, this.#goneIfDead).unref();
  };

  readonly #goneIfDrained = (): void => {
    const { stdout, stderr } = this.#child;
    if (stdout.readableEnded && stderr.readableEnded) this.#goneIfDead();
  };

  readonly #goneIfDead = (): void => {
    if (this.#death) this.#goneWith(this.#death);
  };

  /** It may be about to exit, and its exit code says more; if it stays alive, it is useless. */
  #noMoreAnswers(death: Death): void {
    afterTimeout(DRAIN_MS, () => {
      if (!this.#gone) this.#giveUp(death);
    }).unref();
  }

  /** Waits until its group is gone: a closed pipe would kill a worker that prints while it cleans up. */
  #closeOutputs(): void {
    const close = () => {
      this.#child.stdout.destroy();
      this.#child.stderr.destroy();
    };
    if (this.#death) close();
    else setTimeout(close, this.#owner.limits.killGraceMs + DRAIN_MS).unref();
  }

  #goneWith(death: Death): void {
    if (this.#gone) return;
    this.#lines.flush(); // half a line may be half an objection
    this.#settleAnswered();
    this.#gone = true;
    this.#cancels.clear();
    for (const open of this.#open.values()) open.settle({ kind: "died", ...death, stderr: this.#logged(open) });
    this.#open.clear();
    this.#child.stdin.destroy();
    this.#closeOutputs();
    this.#owner.onGone(this);
  }
}
