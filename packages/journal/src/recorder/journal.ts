import type { HookRecord, Recorder } from "@hookline/engine";
import type { JournalOptions } from "@hookline/engine/program";
import type { CallEntry, Entry } from "../records/entry.ts";
import type { StatePlace } from "../state/statePlace.ts";
import type { ThreadSetup } from "../writer/threadMessages.ts";
import { EntryMaker } from "./entryMaker.ts";
import { JournalLink } from "./journalLink.ts";

export interface JournalSetup extends StatePlace {
  readonly options: JournalOptions;
  /** Whose credentials must not be written down. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hooks may rewrite a prompt after the event that brought it. */
  readonly rewritesPrompts?: boolean | undefined;
  /** What a person should know; told once. */
  readonly onNotice: (text: string) => void;
}

export type EndCall = (status: string, more?: Pick<CallEntry, "callId" | "tokens">) => void;

/** An objection or an approval waits no longer for its record. */
const COMMIT_MS = 100;
/** A program that ends waits no longer for the rest. */
const CLOSE_MS = 2_500;
/** By then a session's first request is on its way. To start a thread meanwhile would hold it up by a quarter. */
const WARM_UP_AFTER_MS = 50;
/** Of what may not be worth writing down. */
const MOST_ASIDE = 100;

const LOCKED =
  "Another program has locked the journal: what is decided takes effect, and is written down if the lock goes.";
const SLOW = "The journal is slow: a decision was not on record when it took effect.";

/** What happens, written down by a thread of its own. On the event's own path it only hands over. */
export class Journal implements Recorder {
  readonly #maker = new EntryMaker((entry) => this.#hand(entry));
  readonly #link = new JournalLink({
    onNotice: (text) => this.#tell("failed", text),
    onEnd: (error) => {
      this.#isOff = true;
      this.#tell("failed", `The journal is not written: ${error.message}. Hooks run on.`);
    },
  });
  #setup: JournalSetup | undefined;
  /** There is something to write down. Before that, nothing is made. */
  #isNeeded = false;
  #isOff = false;
  readonly #told = new Set<"late" | "failed">();
  #warmingUp: NodeJS.Timeout | undefined;
  /** From before the settings were read, and calls from before the first hook. */
  #aside: Entry[] = [];

  /** Starts the thread before it is known where to write: whoever is about to fire an event can have that done meanwhile. */
  warmUp(): void {
    clearTimeout(this.#warmingUp);
    if (this.#link.isUp || this.#isOff) return;
    this.#link.start();
    if (this.#setup) this.#link.setUp(threadSetup(this.#setup));
  }

  /** The same while a session waits for its model, unless an event needs the thread before that. */
  warmUpSoon(): void {
    this.#warmingUp ??= setTimeout(() => this.warmUp(), WARM_UP_AFTER_MS).unref();
  }

  /** From when on it is known where to write. */
  start(setup: JournalSetup): void {
    this.#setup = setup;
    if (!setup.options.enabled) {
      this.#isOff = true;
      void this.#link.stop();
      this.#aside = [];
      return;
    }
    this.#link.setUp(threadSetup(setup));
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
    return this.#link.pending;
  }

  /** How many could not be kept. */
  get lost(): number {
    return this.#link.lost;
  }

  /** Until all that was handed over is kept, at most 100 ms. If it takes longer, that is on the record, and a person is told. */
  async commit(): Promise<void> {
    if (!this.#link.isUp || (await this.#link.isDoneWithin(COMMIT_MS))) return;
    this.#hand(this.#maker.late());
    this.#tell("late", this.#link.isLocked ? LOCKED : SLOW);
  }

  /** With the signal of a program that was told to end, it waits no longer than that leaves time for. */
  async close(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.#warmingUp);
    if (!this.#isNeeded) {
      await this.#link.stop();
      return;
    }
    await this.#link.close(CLOSE_MS, signal);
    if (this.pending > 0) this.#tell("failed", `The journal took too long: ${this.pending} entries are not kept.`);
  }

  #need(): void {
    if (this.#isNeeded || this.#isOff) return;
    this.#isNeeded = true;
    this.warmUp();
    this.#link.open();
    if (this.#setup) this.#handAside();
  }

  #hand(entry: Entry): void {
    if (this.#isOff) return;
    this.#need();
    if (this.#setup) this.#link.send(entry);
    else this.#putAside(entry);
  }

  #putAside(entry: Entry): void {
    if (this.#aside.push(entry) > MOST_ASIDE) this.#aside.shift();
  }

  #handAside(): void {
    for (const entry of this.#aside.splice(0)) this.#hand(entry);
  }

  /** Once. That it is late is nothing any more when it fails; that it fails is said in any case. */
  #tell(what: "late" | "failed", text: string): void {
    if (this.#told.has(what) || this.#told.has("failed")) return;
    this.#told.add(what);
    this.#setup?.onNotice(text);
  }
}

function threadSetup({ onNotice: _, ...setup }: JournalSetup): ThreadSetup {
  return { ...setup, env: { ...setup.env } };
}
