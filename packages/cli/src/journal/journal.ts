import { Worker } from "node:worker_threads";
import type { HookRecord, JournalOptions, Recorder } from "@hookline/engine";
import { packageFile } from "../packageFile.ts";
import type { CallEntry, Entry } from "./entry.ts";
import { EntryMaker } from "./entryMaker.ts";
import { plainEntry } from "./plainEntry.ts";
import type { FromThread, ThreadSetup, ToThread } from "./threadMessages.ts";

export interface JournalSetup {
  readonly projectRoot: string;
  readonly homeDir: string;
  readonly options: JournalOptions;
  /** Whose credentials must not be written down. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a person should know; told once. */
  readonly onNotice: (text: string) => void;
}

export type EndCall = (status: string, more?: Pick<CallEntry, "callId" | "tokens">) => void;

/** An objection or an approval waits no longer for its record. */
const COMMIT_MS = 100;
/** A program that ends waits no longer for the rest. */
const CLOSE_MS = 3_000;
/** More than the thread can be behind; beyond that, entries are counted and dropped, so that memory stays bounded. */
const MOST_WAITING = 20_000;
/** Of calls that may not be worth writing down. */
const MOST_ASIDE = 100;

/** What happens, written down by a thread of its own. On the event's own path it only hands over. */
export class Journal implements Recorder {
  readonly #maker = new EntryMaker((entry) => this.#hand(entry));
  #setup: JournalSetup | undefined;
  #worker: Worker | undefined;
  #isBroken = false;
  #handed = 0;
  #done = 0;
  #lost = 0;
  #isLocked = false;
  #isLockTold = false;
  /** Calls from before the first hook. */
  #aside: Entry[] = [];
  /** Entries from before the settings were read. */
  #early: Entry[] = [];
  readonly #waiting = new Set<{ readonly upTo: number; readonly resolve: () => void }>();

  /** From when on it is known where to write. Nothing is made before there is something to write down. */
  start(setup: JournalSetup): void {
    this.#setup = setup;
    const early = this.#early;
    this.#early = [];
    for (const entry of early) this.#hand(entry);
  }

  /** The session that what comes next belongs to; events say it by themselves. */
  inSession(id: string): void {
    this.#maker.session = id;
  }

  /** The turn that what comes next belongs to; 0 for none. */
  inTurn(turn: number): void {
    this.#maker.turn = turn;
  }

  record(record: HookRecord): void {
    if (this.#setup?.options.enabled === false) return;
    // Its thread can be ready by the time that the first hook has answered.
    if (record.kind === "eventMatched" && this.#setup) this.#thread(this.#setup);
    this.#maker.take(record);
  }

  /** A tool, a request to the model or a turn begins; what it returns is called at its end. */
  begin(what: CallEntry["what"], subject: string): EndCall {
    const at = Date.now();
    const startedAt = performance.now();
    return (status, more = {}) => {
      const entry = this.#maker.call({ what, subject, status, durationMs: performance.now() - startedAt, ...more }, at);
      if (this.#worker) this.#hand(entry);
      // Alone they are not worth a journal; if a hook is met later, they belong to it.
      else if (this.#aside.push(entry) > MOST_ASIDE) this.#aside.shift();
    };
  }

  unmatched(counts: Readonly<Record<string, number>>): void {
    if (this.#worker && Object.keys(counts).length > 0) this.#hand(this.#maker.unmatched(counts));
  }

  /** How many entries were handed over and are not kept yet. */
  get pending(): number {
    return this.#handed - this.#done;
  }

  /**
   * Until all that was handed over is kept, at most 100 ms. If it takes longer, that is on the record; a person is told if the
   * journal is locked, or if at the end it is not kept after all.
   */
  async commit(): Promise<void> {
    if (!this.#worker || this.#isBroken || (await this.#isDoneWithin(COMMIT_MS))) return;
    this.#hand(this.#maker.late());
    if (!this.#isLocked || this.#isLockTold) return;
    this.#isLockTold = true;
    this.#setup?.onNotice(
      "Another program has locked the journal: what hooks and people decide takes effect before it is written down.",
    );
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker || this.#isBroken) return;
    worker.ref();
    const closed = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    this.#post({ kind: "close" });
    const timer = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await closed;
    clearTimeout(timer);
    this.#worker = undefined;
    if (this.pending > 0) this.#setup?.onNotice(`The journal took too long: ${this.pending} entries are not kept.`);
  }

  #hand(entry: Entry): void {
    if (!this.#setup) {
      this.#early.push(entry);
      return;
    }
    if (this.#isBroken || !this.#setup.options.enabled) return;
    if (this.pending >= MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#handed += 1;
    this.#thread(this.#setup);
    // At once: what it holds belongs to others, who may change it.
    this.#post({ kind: "entry", entry, upTo: this.#handed, lost: this.#lost });
    this.#lost = 0;
  }

  #post(message: ToThread): void {
    try {
      this.#worker?.postMessage(message);
    } catch {
      // Something in it cannot go to another thread: a function, a socket.
      if (message.kind === "entry") this.#worker?.postMessage({ ...message, entry: plainEntry(message.entry) });
    }
  }

  #thread(setup: JournalSetup): void {
    if (this.#worker || this.#isBroken || !setup.options.enabled) return;
    const { projectRoot, homeDir, options, env } = setup;
    const workerData: ThreadSetup = { projectRoot, homeDir, options, env: { ...env } };
    // Its own variables are none of its business: what it must know of them is in its data.
    const worker = new Worker(packageFile("bundle/journalThread.js"), { workerData, env: {} });
    worker.unref(); // a program that ends does not wait for it, unless it closes the journal
    worker.on("message", (message: FromThread) => this.#hear(message));
    worker.on("error", (error) => this.#break(error));
    this.#worker = worker;
    for (const entry of this.#aside.splice(0)) this.#hand(entry);
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case "done":
        this.#done = message.upTo;
        this.#isLocked = false;
        for (const one of this.#waiting) if (one.upTo <= this.#done) one.resolve();
        return;
      case "locked":
        this.#isLocked = true;
        return;
      case "notice":
        this.#setup?.onNotice(message.text);
        return;
      case "closed":
        return;
    }
  }

  #break(error: Error): void {
    this.#isBroken = true;
    for (const { resolve } of this.#waiting) resolve();
    this.#setup?.onNotice(`The journal is not written: ${error.message}. Hooks run on.`);
  }

  #isDoneWithin(ms: number): Promise<boolean> {
    if (this.pending === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiting = { upTo: this.#handed, resolve: () => end(true) };
      const timer = setTimeout(() => end(false), ms);
      const end = (isDone: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(isDone);
      };
      this.#waiting.add(waiting);
    });
  }
}
