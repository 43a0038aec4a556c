import { pathToFileURL } from "node:url";
import type { HooklineError } from "@hookline/engine";
import type { Database } from "libsql";
import type { z } from "zod";
import { isDamaged, JOURNAL, journalError } from "../records/journalError.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { storePath } from "../store/storeFile.ts";
import { checked, isThere, sizeOf } from "./journalToRead.ts";

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
    return openReader(path, (how) => checked(new SqlDatabase(`${pathToFileURL(path).href}?${how}`), path));
  } catch (error) {
    throw journalError(path, error);
  }
}

/** Reads a journal while others write to it. */
export class JournalReader {
  readonly path: string;
  /** The newest records may be missing: they are in the WAL file, which cannot be used in a read-only folder. */
  readonly isBehind: boolean;
  readonly #db: Database;
  #damage: HooklineError | undefined;

  constructor(path: string, db: Database, isBehind: boolean) {
    this.path = path;
    this.isBehind = isBehind;
    this.#db = db;
  }

  /** The damage found so far; a caller that shows rows must report it. */
  get damage(): HooklineError | undefined {
    return this.#damage;
  }

  /** The rows of a query, parsed by the schema; rows that do not match are skipped. Stops at damage, and keeps it. */
  rows<Row>(row: z.ZodType<Row>, sql: string, values: readonly (string | number)[] = []): Row[] {
    const rows: Row[] = [];
    try {
      for (const given of this.#db.prepare(sql).iterate(values)) {
        const read = row.safeParse(given);
        if (read.success) rows.push(read.data);
      }
    } catch (error) {
      const trouble = journalError(this.path, error);
      if (!isDamaged(error)) throw trouble;
      this.#damage ??= trouble;
    }
    return rows;
  }

  /** The raw rows of a query, for callers that must not miss one: throws on damage. */
  each(sql: string, values: readonly (string | number)[] = []): Iterable<unknown> {
    return this.#db.prepare(sql).iterate(values);
  }

  close(): void {
    this.#db.close();
  }
}

type Open = (how: string) => Database | undefined;

const SHARED = "mode=ro";
const AS_IT_LIES = "mode=ro&immutable=1";

function openReader(path: string, open: Open): JournalReader | undefined {
  try {
    const db = open(SHARED);
    return db && new JournalReader(path, db, false);
  } catch (error) {
    if (isDamaged(error)) throw error;
    // A reader shares a -shm file with writers and creates it if missing. In a read-only folder, read the database as
    // immutable.
    const db = openAsItLies(open);
    if (db === undefined) throw error;
    return new JournalReader(path, db, sizeOf(`${path}-wal`) > 0);
  }
}

function openAsItLies(open: Open): Database | undefined {
  try {
    return open(AS_IT_LIES);
  } catch {
    return undefined; // the first attempt reports the reason
  }
}
