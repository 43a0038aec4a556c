import { pathToFileURL } from "node:url";
import type { HooklineError } from "@hookline/engine";
import type { Database } from "libsql";
import type { z } from "zod";
import { isDamaged, JOURNAL, journalError } from "../records/journalError.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { storePath } from "../store/storeFile.ts";
import { checked, copied, isThere, sizeOf } from "./journalToRead.ts";

/**
 * Opens the journal of a project read-only; undefined if nothing was recorded yet. Throws JOURNAL_UNUSABLE if it cannot
 * be read.
 */
export async function openJournalReader(place: StatePlace): Promise<JournalReader | undefined> {
  const path = storePath(place, JOURNAL);
  try {
    if (!isThere(path)) return undefined;
    // Native module: load it only if there is a journal.
    const { default: SqlDatabase } = await import("libsql");
    const address = (how: string) => `${pathToFileURL(path).href}?${how}`;
    return openReader(path, {
      open: (how) => checked(new SqlDatabase(address(how)), path),
      // Without a name, SQLite uses a private temporary file and deletes it on close.
      copy: (how) => copied(new SqlDatabase(""), address(how)),
    });
  } catch (error) {
    throw journalError(path, error);
  }
}

interface Opening {
  readonly isBehind: boolean;
  /** Creates another database with the readable part of this one. */
  readonly copy: () => Database;
}

/**
 * Reads a journal while others write to it. On damage, copies the readable part and reads the copy instead: rows come
 * in batches of a hundred, so rows near the damage and all later ones would be missing.
 */
export class JournalReader {
  readonly path: string;
  /** The newest records may be missing: they are in the WAL file, which cannot be used in a read-only folder. */
  readonly isBehind: boolean;
  readonly #copy: () => Database;
  #db: Database;
  #damage: HooklineError | undefined;

  constructor(path: string, db: Database, { isBehind, copy }: Opening) {
    this.path = path;
    this.isBehind = isBehind;
    this.#copy = copy;
    this.#db = db;
  }

  /** The damage found so far; a caller that shows rows must report it. */
  get damage(): HooklineError | undefined {
    return this.#damage;
  }

  /** The rows of a query, parsed by the schema; rows that do not match are skipped. */
  rows<Row>(row: z.ZodType<Row>, sql: string, values: readonly (string | number)[] = []): Row[] {
    try {
      return this.#read(row, sql, values);
    } catch (error) {
      const trouble = journalError(this.path, error);
      if (!isDamaged(error)) throw trouble;
      return this.#goOn(trouble) ? this.rows(row, sql, values) : [];
    }
  }

  /** The raw rows of a query, for callers that must not miss one: throws on damage. */
  each(sql: string, values: readonly (string | number)[] = []): Iterable<unknown> {
    return this.#db.prepare(sql).iterate(values);
  }

  close(): void {
    this.#db.close();
  }

  #read<Row>(row: z.ZodType<Row>, sql: string, values: readonly (string | number)[]): Row[] {
    const rows: Row[] = [];
    for (const given of this.#db.prepare(sql).iterate(values)) {
      const read = row.safeParse(given);
      if (read.success) rows.push(read.data);
    }
    return rows;
  }

  /** Switches to the copy, once; false if there is nothing else to read. */
  #goOn(damage: HooklineError): boolean {
    if (this.#damage) return false;
    this.#damage = damage;
    try {
      const copy = this.#copy();
      this.#db.close();
      this.#db = copy;
      return true;
    } catch {
      return false; // no space for a copy
    }
  }
}

interface Ways {
  readonly open: (how: string) => Database | undefined;
  readonly copy: (how: string) => Database;
}

const SHARED = "mode=ro";
const AS_IT_LIES = "mode=ro&immutable=1";

function openReader(path: string, { open, copy }: Ways): JournalReader | undefined {
  try {
    const db = open(SHARED);
    return db && new JournalReader(path, db, { isBehind: false, copy: () => copy(SHARED) });
  } catch (error) {
    if (isDamaged(error)) throw error;
    // A reader shares a -shm file with writers and creates it if missing. In a read-only folder, read the database as
    // immutable.
    const db = openAsItLies(open);
    if (db === undefined) throw error;
    return new JournalReader(path, db, { isBehind: sizeOf(`${path}-wal`) > 0, copy: () => copy(AS_IT_LIES) });
  }
}

function openAsItLies(open: Ways["open"]): Database | undefined {
  try {
    return open(AS_IT_LIES);
  } catch {
    return undefined; // the first attempt reports the reason
  }
}
