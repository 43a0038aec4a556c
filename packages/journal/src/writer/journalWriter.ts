import { statSync } from "node:fs";
import type { Database, Statement } from "libsql";
import { type Chain, type Link, nextLink } from "../chain/chain.ts";
import { ChainEnd } from "../chain/chainEnd.ts";
import { HeadStore } from "../chain/headStore.ts";
import type { Entry } from "../records/entry.ts";
import { JOURNAL } from "../records/journalError.ts";
import type { Redaction } from "../redaction/redaction.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { inTransaction } from "../store/inTransaction.ts";
import { storePath } from "../store/storeFile.ts";
import { gapRow, type NewRow, rowsOf } from "./entryRows.ts";
import { openJournal } from "./openJournal.ts";
import { type Limits, Retention } from "./retention.ts";
import { Rollups } from "./rollups.ts";
import { type Originals, Withholding } from "./withheld.ts";

export interface WriterOptions extends StatePlace {
  readonly redaction: Redaction;
  readonly limits: Limits;
  readonly originals?: Originals;
}

/** Appends to a project's journal. Each call is all or nothing; other programs may write at the same time. */
export class JournalWriter {
  readonly #path: string;
  readonly #inode: number | undefined;
  readonly #db: Database;
  readonly #heads: HeadStore;
  readonly #chain: Chain;
  readonly #redaction: Redaction;
  readonly #withholding: Withholding;
  readonly #rollups: Rollups;
  readonly #retention: Retention;
  readonly #insert: Statement;
  readonly #end: ChainEnd;

  constructor({ redaction, limits, originals = "withheld", ...place }: WriterOptions) {
    this.#redaction = redaction;
    this.#heads = new HeadStore(place.homeDir);
    try {
      this.#chain = this.#heads.ofProject(place.projectRoot).chain;
      this.#db = openJournal(place);
    } catch (error) {
      this.#heads.close(); // the caller retries if busy
      throw error;
    }
    this.#withholding = new Withholding(this.#chain.key, originals);
    this.#path = storePath(place, JOURNAL);
    this.#inode = this.#inodeNow();
    this.#rollups = new Rollups(this.#db);
    this.#end = new ChainEnd(this.#db, this.#chain);
    this.#retention = new Retention(this.#db, this.#chain, this.#end, limits);
    this.#insert = this.#db.prepare(`
      INSERT INTO records (chain, n, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body,
        written, prev, mac)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  }

  /** Whether the file is still in place: writes to a deleted file are lost. */
  isInPlace(): boolean {
    return this.#inode !== undefined && this.#inode === this.#inodeNow();
  }

  /** Writes and acknowledges in one call, for callers that need not retry. */
  append(entries: readonly Entry[], lost = 0): void {
    this.acknowledge(this.write(entries, lost));
  }

  /** Throws SQLite's errors; then nothing is written. When it returns, everything is. */
  write(entries: readonly Entry[], lost = 0): Link {
    const rows = entries.flatMap((entry) => rowsOf(entry, this.#redaction, this.#withholding));
    if (lost > 0) rows.push(gapRow(lost, Date.now()));
    // Read before taking the lock: only a head from before a cut matters, and that is already stored.
    const head = this.#heads.find(this.#chain.id);
    return inTransaction(this.#db, () => this.#add(rows, head));
  }

  /** A separate step, so that a retry does not write the records again. */
  acknowledge(end: Link): void {
    this.#heads.advance(this.#chain, end);
  }

  /** Removes some records beyond the limits if a check is due; returns true while there is more to remove. */
  prune(): boolean {
    if (!this.#retention.isDue(Date.now())) return false;
    const isMore = inTransaction(this.#db, () => this.#retention.removeSome(Date.now()));
    if (isMore) this.#db.exec("PRAGMA incremental_vacuum");
    return isMore;
  }

  close(): void {
    this.#db.close();
    this.#heads.close();
  }

  #inodeNow(): number | undefined {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino;
  }

  #add(rows: readonly NewRow[], head: Link | undefined): Link {
    let end = this.#end.find(head);
    for (const row of rows) {
      const { at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body } = row;
      const { mac: prev } = end;
      end = nextLink(this.#chain, end, row, this.#end.next(end));
      const columns = [at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body];
      this.#insert.run([this.#chain.id, end.n, ...columns, end.written, prev, end.mac]);
      this.#rollups.add(row);
    }
    this.#end.wrote(end);
    return end;
  }
}
