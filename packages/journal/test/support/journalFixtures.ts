import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JournalOptions } from "@hookline/engine/program";
import SqlDatabase, { type Database } from "libsql";
import { onTestFinished } from "vitest";
import { type Verification, verifyJournal } from "../../src/reader/verifyJournal.ts";
import type { Entry } from "../../src/records/entry.ts";
import { Redaction } from "../../src/redaction/redaction.ts";
import { type StatePlace, statePath } from "../../src/state/statePlace.ts";
import { JournalWriter } from "../../src/writer/journalWriter.ts";
import type { Limits } from "../../src/writer/retention.ts";

export const OPTIONS: JournalOptions = {
  enabled: true,
  maxAgeMs: 30 * 86_400_000,
  maxBytes: 1024 ** 3,
  payloadBytes: 65_536,
  originals: false,
  redactKeys: [],
  redactPatterns: [],
};

/** A project with a journal, and a user with a home. */
export class JournalFolder {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-journal-")));
  readonly projectRoot = join(this.dir, "project");
  readonly homeDir = join(this.dir, "home");
  readonly place: StatePlace = { projectRoot: this.projectRoot, homeDir: this.homeDir };
  readonly path = join(statePath(this.place), "journal.db");

  /** With more files, by their paths in its folder. */
  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const folder of [this.projectRoot, this.homeDir]) mkdirSync(folder);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.dir, file)), { recursive: true });
      writeFileSync(join(this.dir, file), text);
    }
    onTestFinished(() => rmSync(this.dir, { recursive: true }));
  }

  writer(limits: Limits = OPTIONS, place = this.place): JournalWriter {
    const redaction = new Redaction({ keys: [], patterns: [], values: [], payloadBytes: OPTIONS.payloadBytes });
    const writer = new JournalWriter({ ...place, redaction, limits });
    onTestFinished(() => writer.close());
    return writer;
  }

  /** Does something to the file that no program of ours does. */
  tamper(work: (db: Database) => void): void {
    const db = new SqlDatabase(this.path);
    try {
      work(db);
    } finally {
      db.close();
    }
  }

  rows(sql: string): unknown[] {
    const db = new SqlDatabase(this.path, { readonly: true });
    try {
      return db.prepare(sql).all();
    } finally {
      db.close();
    }
  }

  verify(): Promise<Verification> {
    return verifyJournal(this.place);
  }
}

export function eventEntry(nth: number, more: Partial<Extract<Entry, { kind: "event" }>> = {}): Entry {
  return {
    kind: "event",
    at: 1_700_000_000_000 + nth,
    session: "s1",
    turn: 1,
    eventId: `e${nth}`,
    event: "BeforeTool",
    subject: "write_file",
    sequential: false,
    decision: "allow",
    success: true,
    durationMs: 1.5,
    input: { tool_name: "write_file", nth },
    rewrites: [],
    notes: [],
    skipped: [],
    runs: [],
    ...more,
  };
}
