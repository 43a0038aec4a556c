import type { HookRecord, Recorder } from "@hookline/engine";
import type { JournalOptions } from "@hookline/engine/program";
import type { CallEntry, Entry } from "../records/entry.ts";
import type { StatePlace } from "../state/statePlace.ts";
import type { ThreadSetup } from "../writer/threadMessages.ts";
import { EntryMaker } from "./entryMaker.ts";
import { JournalLink } from "./journalLink.ts";

export interface JournalSetup extends StatePlace {
  readonly options: JournalOptions;
  /** Environment whose credentials must not be recorded. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hooks may rewrite a prompt after the event that contained it. */
  readonly rewritesPrompts?: boolean | undefined;
  /** Receives notices for the user, each kind once. */
  readonly onNotice: (text: string) => void;
}

export type EndCall = (status: string, more?: Pick<CallEntry, "callId" | "tokens">) => void;

/** How long an objection or approval waits for its record. */
const COMMIT_MS = 100;
/** How long a program that ends waits for the remaining records. */
const CLOSE_MS = 2_500;
/** By then a session's first request is on its way. Starting a thread earlier would delay it by a quarter. */
const WARM_UP_AFTER_MS = 50;
/** Limit for entries that may not be worth recording. */
const MOST_ASIDE = 100;

const LOCKED =
  "Another program has locked the journal: decisions take effect, and are recorded once the lock is released.";
const SLOW = "The journal is slow: a decision took effect before it was recorded.";

/** Records what happens in a separate thread. The event path only hands entries over. */
export class Journal implements Recorder {
  readonly #maker = new EntryMaker((entry) => this.#hand(entry));
  readonly #link = new JournalLink({
    onNotice: (text) => this.#tell("failed", text),
    onEnd: (error) => {
      this.#isOff = true;
      this.#tell("failed", `The journal is not written: ${error.message}. Hooks continue to run.`);
    },
  });
  #setup: JournalSetup | undefined;
  /** There is something to record. Until then, no file is created. */
  #isNeeded = false;
  #isOff = false;
  readonly #told = new Set<"late" | "failed">();
  #warmingUp: NodeJS.Timeout | undefined;
  /** Entries from before the settings were read, and calls from before the first hook. */
  #aside: Entry[] = [];

  /** Starts the thread before the journal's place is known, in parallel with other start-up work. */
  warmUp(): void {
    clearTimeout(this.#warmingUp);
    if (this.#link.isUp || this.#isOff) return;
    this.#link.start();
    if (this.#setup) this.#link.setUp(threadSetup(this.#setup));
  }

  /** Starts the thread while a session waits for its model, unless an event needs it earlier. */
  warmUpSoon(): void {
    this.#warmingUp ??= setTimeout(() => this.warmUp(), WARM_UP_AFTER_MS).unref();
  }

  /** Called once the journal's place is known. */
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

  /** The session of the following entries; events carry their own. */
  inSession(id: string): void {
    this.#maker.session = id;
  }

  /** The turn of the following entries; 0 for none. */
  inTurn(turn: number): void {
    this.#maker.turn = turn;
  }

  record(record: HookRecord): void {
    if (this.#isOff) return;
    // There will be a record in any case, so open the file while the first hook runs.
    if (record.kind === "eventMatched") this.#need();
    this.#maker.take(record);
  }

  /** Starts a tool, model request or turn; call the returned function at its end. */
  begin(what: CallEntry["what"], subject: string): EndCall {
    const at = Date.now();
    const startedAt = performance.now();
    return (status, more = {}) => {
      const entry = this.#maker.call({ what, subject, status, durationMs: performance.now() - startedAt, ...more }, at);
      // Calls alone are not worth a journal; if a hook runs later, they belong to it.
      if (this.#isNeeded) this.#hand(entry);
      else this.#putAside(entry);
    };
  }

  unmatched(counts: Readonly<Record<string, number>>): void {
    if (Object.keys(counts).length > 0) this.#hand(this.#maker.unmatched(counts));
  }

  /** Entries handed over but not yet recorded. */
  get pending(): number {
    return this.#link.pending;
  }

  /** Entries that could not be recorded. */
  get lost(): number {
    return this.#link.lost;
  }

  /**
   * Waits up to 100 ms until everything handed over is recorded. If that takes longer, records it as late and notifies
   * the user.
   */
  async commit(): Promise<void> {
    if (!this.#link.isUp || (await this.#link.isDoneWithin(COMMIT_MS))) return;
    this.#hand(this.#maker.late());
    this.#tell("late", this.#link.isLocked ? LOCKED : SLOW);
  }

  /** With the signal of an interrupted program, waits only as long as an interrupt allows. */
  async close(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.#warmingUp);
    if (!this.#isNeeded) {
      await this.#link.stop();
      return;
    }
    await this.#link.close(CLOSE_MS, signal);
    if (this.pending > 0) this.#tell("failed", `The journal took too long: ${this.pending} entries were not recorded.`);
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

  /** Notify at most once per kind; a failure supersedes lateness. */
  #tell(what: "late" | "failed", text: string): void {
    if (this.#told.has(what) || this.#told.has("failed")) return;
    this.#told.add(what);
    this.#setup?.onNotice(text);
  }
}

function threadSetup({ onNotice: _, ...setup }: JournalSetup): ThreadSetup {
  return { ...setup, env: { ...setup.env } };
}
