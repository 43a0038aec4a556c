import { realpathSync, statSync } from "node:fs";
import type { Database, Statement } from "libsql";
import { storePath } from "../store/storeFile.ts";
import { BEGINNING, type Chain, type Link, nextLink } from "./chain.ts";
import { bytesIn, numberIn } from "./columns.ts";
import type { Entry } from "./entry.ts";
import { gapRow, type NewRow, rowsOf } from "./entryRows.ts";
import { HeadStore } from "./headStore.ts";
import { JOURNAL } from "./journalError.ts";
import { openJournal } from "./openJournal.ts";
import type { Redaction } from "./redaction/redaction.ts";
import { type Limits, Retention } from "./retention.ts";
import { Rollups } from "./rollups.ts";

export interface WriterOptions {
  readonly projectRoot: string;
  readonly homeDir: string;
  readonly redaction: Redaction;
  readonly limits: Limits;
}

/** Adds to a project's journal. Everything of one call is kept, or nothing; other programs may write at the same time. */
export class JournalWriter {
  readonly #path: string;
  readonly #inode: number | undefined;
  readonly #db: Database;
  readonly #heads: HeadStore;
  readonly #chain: Chain;
  readonly #redaction: Redaction;
  readonly #rollups: Rollups;
  readonly #retention: Retention;
  readonly #insert: Statement;
  readonly #tail: Statement;
  readonly #checkpoint: Statement;

  constructor({ projectRoot, homeDir, redaction, limits }: WriterOptions) {
    this.#redaction = redaction;
    this.#heads = new HeadStore(homeDir);
    this.#db = openJournal(projectRoot);
    this.#path = storePath(projectRoot, JOURNAL);
    this.#inode = this.#inodeNow();
    this.#chain = this.#heads.ofProject(realpathSync(projectRoot)).chain;
    this.#rollups = new Rollups(this.#db);
    this.#retention = new Retention(this.#db, this.#chain, limits);
    this.#tail = this.#db.prepare("SELECT n, mac FROM records WHERE chain = ? ORDER BY n DESC LIMIT 1");
    this.#checkpoint = this.#db.prepare("SELECT n, mac FROM checkpoints WHERE chain = ? ORDER BY n DESC LIMIT 1");
    this.#insert = this.#db.prepare(`
      INSERT INTO records (chain, n, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body, mac)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  }

  /** Whether its file is still in its place: what is written to one that was deleted is nowhere. */
  isInPlace(): boolean {
    return this.#inode !== undefined && this.#inode === this.#inodeNow();
  }

  /** Throws SQLite's errors; then nothing of it is kept. When it returns, all of it is, and is known to be. */
  append(entries: readonly Entry[], lost = 0): void {
    const rows = entries.flatMap((entry) => rowsOf(entry, this.#redaction));
    if (lost > 0) rows.push(gapRow(lost, Date.now()));
    if (rows.length === 0) return;
    this.#heads.advance(
      this.#chain,
      this.#inTransaction(() => this.#add(rows)),
    );
  }

  /** Removes some of what is too old or too much, if it is time to look; true while there is more to remove. */
  prune(): boolean {
    if (!this.#retention.isDue(Date.now())) return false;
    const isMore = this.#inTransaction(() => this.#retention.removeSome(Date.now()));
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

  #add(rows: readonly NewRow[]): Link {
    let link = this.#end();
    for (const row of rows) {
      const { at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body } = row;
      link = nextLink(this.#chain, link, row);
      const columns = [at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body];
      this.#insert.run([this.#chain.id, link.n, ...columns, link.mac]);
      this.#rollups.add(row);
    }
    return link;
  }

  /**
   * Where the next record is to be added. If there are fewer records than were acknowledged, somebody took the last ones away:
   * then it goes on where they were, so that the gap stays for everybody to find.
   */
  #end(): Link {
    const known = this.#heads.find(this.#chain.id);
    const found = this.#tail.get([this.#chain.id]) ?? this.#checkpoint.get([this.#chain.id]);
    const end = found === undefined ? BEGINNING : { n: numberIn(found, "n"), mac: bytesIn(found, "mac") };
    return known !== undefined && known.n > end.n ? known : end;
  }

  #inTransaction<Result>(work: () => Result): Result {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}
