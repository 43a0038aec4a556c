import { setTimeout as pause } from "node:timers/promises";
import { deserialize } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { Entry } from "../records/entry.ts";
import { isBusy, JOURNAL, journalError } from "../records/journalError.ts";
import { liveSecrets } from "../redaction/liveSecrets.ts";
import { Redaction } from "../redaction/redaction.ts";
import { pruneProjects } from "../state/pruneProjects.ts";
import { storePath } from "../store/storeFile.ts";
import { forgetJournal } from "./forgetJournal.ts";
import { JournalWriter } from "./journalWriter.ts";
import { BUSY, type FromThread, GIVEN_UP, type ThreadSetup, type ToThread } from "./threadMessages.ts";

/** How long one batch is tried while others write. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 3;
/** Nobody who writes takes as long as this. */
const LOCKED_MS = 60;
/** How many entries go into one transaction at most: others want to write, too. */
const AT_ONCE = 500;
/** What is too old can wait; whoever waits for the end of the program should not. */
const PRUNING_MS = 200;
/** After a failure that will not pass by itself, how long nothing is tried. */
const REST_MS = 2_000;

/** Writes down what the program hands over. It never fails the program: what cannot be written is counted and said once. */
class JournalThread {
  /** Comes before any entry. */
  setup: ThreadSetup | undefined;
  readonly #tell: (message: FromThread) => void;
  #writer: JournalWriter | undefined;
  #waiting: Entry[] = [];
  #upTo = 0;
  #lost = 0;
  #isAtWork = false;
  #isTold = false;
  #restUntil = 0;

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell;
  }

  /** Before anything is there to write, so that the first objection need not wait for it. */
  async warmUp(): Promise<void> {
    try {
      await this.#patiently(() => this.#open());
    } catch {
      // whatever is wrong is said when something is to be written
    }
  }

  take(packed: readonly Uint8Array[], upTo: number, lost: number): void {
    for (const bytes of packed) this.#waiting.push(deserialize(bytes));
    this.#upTo = upTo;
    this.#lost += lost;
    if (!this.#isAtWork) void this.#work();
  }

  async close(): Promise<void> {
    while (this.#isAtWork) await pause(1);
    this.#pruneOthers();
    whileBusy(() => this.#writer?.close());
  }

  /** Writes what is there, also what comes in meanwhile. */
  async #work(): Promise<void> {
    this.#isAtWork = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, AT_ONCE);
      const upTo = this.#upTo - this.#waiting.length;
      const isWritten = await this.#write(batch);
      const lost = isWritten ? 0 : batch.length;
      this.#lost += lost;
      this.#tell({ kind: "done", upTo, lost });
      if (this.#waiting.length === 0) await this.#prune();
    }
    this.#isAtWork = false;
  }

  async #write(batch: readonly Entry[]): Promise<boolean> {
    if (Date.now() < this.#restUntil) return false;
    const lost = this.#lost;
    let isWritten = false;
    try {
      const end = await this.#patiently(() => this.#open().write(batch, lost));
      isWritten = true;
      this.#lost -= lost;
      await this.#patiently(() => this.#writer?.acknowledge(end));
    } catch (error) {
      this.#giveUp(error);
    }
    return isWritten;
  }

  /** Old records go when somebody has the time. */
  async #prune(): Promise<void> {
    try {
      const deadline = Date.now() + PRUNING_MS;
      while (
        this.#writer &&
        this.#waiting.length === 0 &&
        Date.now() < deadline &&
        (await this.#patiently(() => this.#open().prune()))
      ) {
        // one piece after the other
      }
    } catch {
      // the next program tries again
    }
  }

  /** Once a day, by the program that ends first. */
  #pruneOthers(): void {
    try {
      const { setup } = this;
      if (!this.#writer || !setup || isGivenUp()) return;
      const now = Date.now();
      const forget = (folder: string) => forgetJournal(folder, setup.homeDir, now);
      whileBusy(() => pruneProjects(setup, { now, forgetJournal: forget }));
    } catch {
      // the next program tries again
    }
  }

  /** Whoever has to wait asks again soon and at odd times: SQLite itself would sleep longer and longer. */
  async #patiently<Result>(work: () => Result): Promise<Result> {
    const startedAt = performance.now();
    let isLocked = false;
    for (;;) {
      try {
        return whileBusy(work);
      } catch (error) {
        const waitedMs = performance.now() - startedAt;
        if (!isBusy(error) || waitedMs > PATIENCE_MS || isGivenUp()) throw error;
        if (waitedMs > LOCKED_MS && !isLocked) this.#tell({ kind: "locked" });
        isLocked ||= waitedMs > LOCKED_MS;
        await pause(1 + Math.random() * LONGEST_PAUSE_MS);
      }
    }
  }

  #open(): JournalWriter {
    if (this.#writer?.isInPlace()) return this.#writer;
    this.#writer?.close();
    this.#writer = undefined;
    if (!this.setup) throw new Error("Nobody has said where to write");
    const { options, env, rewritesPrompts, ...place } = this.setup;
    const { redactKeys: keys, redactPatterns: patterns, payloadBytes, maxAgeMs, maxBytes, originals } = options;
    const redaction = new Redaction({ keys, patterns, values: liveSecrets(env), payloadBytes });
    this.#writer = new JournalWriter({
      ...place,
      redaction,
      limits: { maxAgeMs, maxBytes },
      originals: originals ? "kept" : rewritesPrompts ? "withheld early" : "withheld",
    });
    return this.#writer;
  }

  /** A file that was damaged, or whose disk is full, may be fine again later; another handle may be needed for it. */
  #giveUp(error: unknown): void {
    this.#restUntil = Date.now() + REST_MS;
    try {
      whileBusy(() => this.#writer?.close());
    } catch {
      // it is of no use any more
    }
    this.#writer = undefined;
    if (this.#isTold) return;
    this.#isTold = true;
    const file = this.setup ? storePath(this.setup, JOURNAL) : JOURNAL.file;
    const { message, next } = journalError(file, error);
    this.#tell({ kind: "notice", text: `The journal is not written: ${message} Hooks run on. ${next}` });
  }
}

/** So that the program knows, when it ends, whether this thread can be ended. */
function whileBusy<Result>(work: () => Result): Result {
  const busy: unknown = workerData;
  if (!(busy instanceof Int32Array)) return work();
  Atomics.store(busy, BUSY, 1);
  try {
    return work();
  } finally {
    Atomics.store(busy, BUSY, 0);
    Atomics.notify(busy, BUSY);
  }
}

/** Whether the program that ends waits for nothing any more. */
function isGivenUp(): boolean {
  const busy: unknown = workerData;
  return busy instanceof Int32Array && Atomics.load(busy, GIVEN_UP) === 1;
}

const port = parentPort;
if (port) {
  const thread = new JournalThread((message) => port.postMessage(message));
  port.on("message", (message: ToThread) => {
    switch (message.kind) {
      case "setup":
        thread.setup = message.setup;
        return;
      case "open":
        void thread.warmUp();
        return;
      case "entries":
        thread.take(message.packed, message.upTo, message.lost);
        return;
      case "close":
        void thread.close().then(() => port.close());
        return;
    }
  });
}
