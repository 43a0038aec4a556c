import { rmSync } from "node:fs";
import { join } from "node:path";
import SqlDatabase, { type Database } from "libsql";
import { onTestFinished } from "vitest";
import type { CallEntry, Entry, EventEntry, RunEntry } from "../../../journal/src/records/entry.ts";
import { Redaction } from "../../../journal/src/redaction/redaction.ts";
import { JournalWriter } from "../../../journal/src/writer/journalWriter.ts";
import { Machine } from "../support/machine.ts";

const LIMITS = { maxAgeMs: 400 * 86_400_000, maxBytes: 1024 ** 3 };

/** A machine whose project has a journal. */
export class RecordedMachine extends Machine {
  readonly journal = join(this.dir, this.state, "journal.db");
  #writer: JournalWriter | undefined;

  append(...entries: readonly Entry[]): this {
    this.#writer ??= this.#open();
    this.#writer.append(entries);
    return this;
  }

  /** As when more happened than could be written. */
  lose(count: number): this {
    this.#writer?.append([], count);
    return this;
  }

  close(): void {
    this.#writer?.close();
    this.#writer = undefined;
  }

  moveJournalAway(): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${this.journal}${end}`, { force: true });
  }

  /** Does something to the file that no program of ours does. */
  tamper(work: (db: Database) => void): void {
    const db = new SqlDatabase(this.journal);
    work(db);
    db.close();
  }

  #open(): JournalWriter {
    const redaction = new Redaction({ keys: [], patterns: [], values: [], payloadBytes: 65_536 });
    const writer = new JournalWriter({ ...this.place, redaction, limits: LIMITS });
    onTestFinished(() => this.close());
    return writer;
  }
}

/** A minute ago, and each a second after the one before. */
const BEGINNING = Date.now() - 60_000;

export function event(nth: number, more: Partial<EventEntry> = {}): EventEntry {
  return {
    kind: "event",
    at: BEGINNING + nth * 1_000,
    session: "session-one",
    turn: 1,
    eventId: `${String(nth).padStart(4, "0")}aaaa-0000`,
    event: "BeforeTool",
    subject: "write_file",
    sequential: false,
    decision: "allow",
    success: true,
    durationMs: 12,
    input: { tool_name: "write_file" },
    rewrites: [],
    notes: [],
    skipped: [],
    runs: [],
    ...more,
  };
}

export const GUARD = { name: "guard", source: "project", type: "command" };

/** A run of the guard within an event. */
export function runIn(of: EventEntry, more: Partial<RunEntry> = {}): RunEntry {
  const { at, session, turn, eventId, event: name, subject } = of;
  return {
    kind: "run",
    at,
    session,
    turn,
    eventId,
    event: name,
    ...(subject === undefined ? {} : { subject }),
    hook: GUARD,
    pass: "first",
    outcome: "allow",
    durationMs: 11,
    applied: true,
    exitCode: 0,
    notes: [],
    ...more,
  };
}

/** An event in which the guard ran, and decided it. */
export function guarded(nth: number, outcome: "allow" | "ask" | "block", more: Partial<EventEntry> = {}): EventEntry {
  const reason = outcome === "allow" ? {} : { reason: "Not this file.\nAnd no other." };
  const plain = event(nth, { decision: outcome, ...reason, ...more });
  return { ...plain, runs: [runIn(plain, { outcome, ...reason })] };
}

export function call(nth: number, more: Partial<CallEntry> = {}): CallEntry {
  const { at, session, turn } = event(nth);
  return {
    kind: "call",
    at,
    session,
    turn,
    what: "tool",
    subject: "write_file",
    status: "success",
    durationMs: 300,
    ...more,
  };
}

/** Lines without the time, cell by cell. */
export function cells(stdout: string): string[][] {
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line) => line.replace(/^\d\d-\d\d \d\d:\d\d:\d\d {2}/, "").split(/ {2,}/));
}
