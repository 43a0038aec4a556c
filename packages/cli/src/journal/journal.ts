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
const LOCKED =
  "Another program has locked the journal: what is decided takes effect, and is written down if the lock goes.";
const SLOW =
  "The journal is slow: what was decided took effect before it was written down. `hookline log` shows where.";
/** More than the thread can be behind; beyond that, entries are counted and dropped, so that memory stays bounded. */
const MOST_WAITING = 20_000;
/** Of what may not be worth writing down. */
const MOST_ASIDE = 100;

/** What happens, written down by a thread of its own. On the event's own path it only hands over. */
export class Journal implements Recorder {
  readonly #maker = new EntryMaker((entry) => this.#hand(entry));
  #setup: JournalSetup | undefined;
  #worker: Worker | undefined;
  /** There is something to write down. Before that, nothing is made. */
  #isNeeded = false;
  #isOff = false;
  #handed = 0;
  #done = 0;
  #lost = 0;
  /** Lost for good. */
  #givenUp = 0;
  #isLocked = false;
  readonly #told = new Set<"late" | "failed">();
  /** From before the settings were read, and calls from before the first hook. */
  #aside: Entry[] = [];
  readonly #waiting = new Set<{ readonly upTo: number; readonly resolve: () => void }>();

  /** Starts the thread before it is known where to write: whoever is about to fire an event can have that done meanwhile. */
  warmUp(): void {
    if (this.#worker || this.#isOff) return;
    // Its own variables are none of its business: what it must know of them comes with its setup.
    const worker = new Worker(packageFile("bundle/journalThread.js"), { env: {} });
    worker.on("message", (message: FromThread) => this.#hear(message));
    worker.on("error", (error) => this.#break(error));
    // After the listeners, which would undo it: a program that ends does not wait for it, unless it closes the journal.
    worker.unref();
    this.#worker = worker;
    if (this.#setup) this.#post({ kind: "setup", setup: threadSetup(this.#setup) });
  }

  /** From when on it is known where to write. */
  start(setup: JournalSetup): void {
    this.#setup = setup;
    if (!setup.options.enabled) {
      this.#isOff = true;
      void this.#worker?.terminate();
      this.#worker = undefined;
      this.#aside = [];
      return;
    }
    if (this.#worker) this.#post({ kind: "setup", setup: threadSetup(setup) });
    if (this.#isNeeded) this.#handAside();
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
    if (this.#isOff) return;
    // Whatever comes of it, there will be a record; its file can be open by the time that the first hook has answered.
    if (record.kind === "eventMatched") this.#need();
    this.#maker.take(record);
  }

  /** A tool, a request to the model or a turn begins; what it returns is called at its end. */
  begin(what: CallEntry["what"], subject: string): EndCall {
    const at = Date.now();
    const startedAt = performance.now();
    return (status, more = {}) => {
      const entry = this.#maker.call({ what, subject, status, durationMs: performance.now() - startedAt, ...more }, at);
      // Alone they are not worth a journal; if a hook is met later, they belong to it.
      if (this.#isNeeded) this.#hand(entry);
      else this.#putAside(entry);
    };
  }

  unmatched(counts: Readonly<Record<string, number>>): void {
    if (Object.keys(counts).length > 0) this.#hand(this.#maker.unmatched(counts));
  }

  /** How many entries were handed over and are not kept yet. */
  get pending(): number {
    return this.#handed - this.#done;
  }

  /** How many could not be kept. */
  get lost(): number {
    return this.#lost + this.#givenUp;
  }

  /** Until all that was handed over is kept, at most 100 ms. If it takes longer, that is on the record, and a person is told. */
  async commit(): Promise<void> {
    if (!this.#worker || (await this.#isDoneWithin(COMMIT_MS))) return;
    this.#hand(this.#maker.late());
    this.#tell("late", this.#isLocked ? LOCKED : SLOW);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    if (!this.#isNeeded) {
      await worker.terminate();
      return;
    }
    worker.ref();
    const closed = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    this.#post({ kind: "close" });
    const timer = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await closed;
    clearTimeout(timer);
    this.#worker = undefined;
    if (this.pending > 0) this.#tell("failed", `The journal took too long: ${this.pending} entries are not kept.`);
  }

  #need(): void {
    if (this.#isNeeded || this.#isOff) return;
    this.#isNeeded = true;
    this.warmUp();
    this.#post({ kind: "open" });
    if (this.#setup) this.#handAside();
  }

  #hand(entry: Entry): void {
    if (this.#isOff) return;
    this.#need();
    if (!this.#setup) {
      this.#putAside(entry);
      return;
    }
    if (this.pending >= MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#handed += 1;
    // At once: what it holds belongs to others, who may change it.
    this.#post({ kind: "entry", entry, upTo: this.#handed, lost: this.#lost });
    this.#lost = 0;
  }

  #putAside(entry: Entry): void {
    if (this.#aside.push(entry) > MOST_ASIDE) this.#aside.shift();
  }

  #handAside(): void {
    for (const entry of this.#aside.splice(0)) this.#hand(entry);
  }

  #post(message: ToThread): void {
    try {
      this.#worker?.postMessage(message);
    } catch {
      // Something in it cannot go to another thread: a function, a socket.
      if (message.kind === "entry") this.#worker?.postMessage({ ...message, entry: plainEntry(message.entry) });
    }
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case "done":
        this.#done = message.upTo;
        this.#givenUp += message.lost;
        this.#isLocked = false;
        for (const one of this.#waiting) if (one.upTo <= this.#done) one.resolve();
        return;
      case "locked":
        this.#isLocked = true;
        return;
      case "notice":
        this.#tell("failed", message.text);
        return;
    }
  }

  #break(error: Error): void {
    this.#isOff = true;
    this.#worker = undefined;
    for (const { resolve } of this.#waiting) resolve();
    this.#tell("failed", `The journal is not written: ${error.message}. Hooks run on.`);
  }

  /** Once. That it is late is nothing any more when it fails; that it fails is said in any case. */
  #tell(what: "late" | "failed", text: string): void {
    if (this.#told.has(what) || this.#told.has("failed")) return;
    this.#told.add(what);
    this.#setup?.onNotice(text);
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

function threadSetup({ projectRoot, homeDir, options, env }: JournalSetup): ThreadSetup {
  return { projectRoot, homeDir, options, env: { ...env } };
}
