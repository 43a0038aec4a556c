import { rmSync } from "node:fs";
import { join } from "node:path";
import SqlDatabase, { type Database } from "libsql";
import { onTestFinished } from "vitest";
import type { Entry } from "../../../journal/src/records/entry.ts";
import { Redaction } from "../../../journal/src/redaction/redaction.ts";
import { JournalWriter } from "../../../journal/src/writer/journalWriter.ts";
import { Machine } from "../support/machine.ts";

export { call, event, guarded, runIn } from "../../../journal/test/support/entries.ts";

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

/** Lines without the time, cell by cell. */
export function cells(stdout: string): string[][] {
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line) => line.replace(/^\d\d-\d\d \d\d:\d\d:\d\d {2}/, "").split(/ {2,}/));
}
