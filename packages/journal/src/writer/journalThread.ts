import { setTimeout as pause } from "node:timers/promises";
import { deserialize } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { Entry } from "../records/entry.ts";
import { isBusy, JOURNAL, journalError } from "../records/journalError.ts";
import { liveSecrets } from "../redaction/liveSecrets.ts";
import { Redaction } from "../redaction/redaction.ts";
import { pruneProjects } from "../state/pruneProjects.ts";
import { storePath } from "../store/storeFile.ts";
import { type PackedEntries, unpack } from "./entryBatch.ts";
import { forgetJournal } from "./forgetJournal.ts";
import { JournalWriter } from "./journalWriter.ts";
import { BUSY, type FromThread, GIVEN_UP, type ThreadSetup, type ToThread } from "./threadMessages.ts";

/** How long to retry one batch while others write. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 3;
/** Longer than any write takes. */
const LOCKED_MS = 60;
/** Maximum entries per transaction, so that other writers get their turn. */
const AT_ONCE = 500;
/** Bounds pruning: it can wait, but the end of the program should not wait for it. */
const PRUNING_MS = 200;
/** Pause after a failure that will not go away on its own. */
const REST_MS = 2_000;

/**
 * Writes the entries that the program sends. Never fails the program: counts entries that cannot be written, and
 * notifies once.
 */
class JournalThread {
  /** Arrives before any entry. */
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

  /** Runs before there is anything to write, so that the first objection need not wait for it. */
  async warmUp(): Promise<void> {
    try {
      await this.#patiently(() => this.#open());
    } catch {
      // reported when there is something to write
    }
  }

  take(packed: PackedEntries, upTo: number, lost: number): void {
    for (const bytes of unpack(packed)) this.#waiting.push(deserialize(bytes));
    this.#upTo = upTo;
    this.#lost += lost;
    if (!this.#isAtWork) void this.#work();
  }

  async close(): Promise<void> {
    while (this.#isAtWork) await pause(1);
    this.#pruneOthers();
    whileBusy(() => this.#writer?.close());
  }

  /** Writes all entries, including those that arrive in the meantime. */
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

  /** Prunes old records when idle. */
  async #prune(): Promise<void> {
    try {
      const deadline = Date.now() + PRUNING_MS;
      while (
        this.#writer &&
        this.#waiting.length === 0 &&
        Date.now() < deadline &&
        (await this.#patiently(() => this.#open().prune()))
      ) {
        // one batch after the other
      }
    } catch {
      // the next program tries again
    }
  }

  /** Once a day, by the first program that ends. */
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

  /** Retry with short jittered pauses; SQLite's own busy handler backs off too far. */
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
    if (!this.setup) throw new Error("The journal thread has no setup");
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

  /** A damaged file or a full disk may be fine later, and may need a new handle. */
  #giveUp(error: unknown): void {
    this.#restUntil = Date.now() + REST_MS;
    try {
      whileBusy(() => this.#writer?.close());
    } catch {
      // the handle is no longer usable
    }
    this.#writer = undefined;
    if (this.#isTold) return;
    this.#isTold = true;
    const file = this.setup ? storePath(this.setup, JOURNAL) : JOURNAL.file;
    const { message, next } = journalError(file, error);
    this.#tell({ kind: "notice", text: `The journal is not written: ${message} Hooks continue to run. ${next}` });
  }
}

/** Tells the program whether this thread can be terminated. */
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

/** Whether the ending program has stopped waiting. */
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
