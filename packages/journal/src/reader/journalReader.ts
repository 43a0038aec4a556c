import { pathToFileURL } from "node:url";
import type { HooklineError } from "@hookline/engine";
import type { Database } from "libsql";
import type { z } from "zod";
import { isDamaged, JOURNAL, journalError } from "../records/journalError.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { storePath } from "../store/storeFile.ts";
import { checked, copied, isThere, sizeOf } from "./journalToRead.ts";

/** The journal of a project for who only looks; undefined where nothing was written yet. JOURNAL_UNUSABLE if it cannot be read. */
export async function openJournalReader(place: StatePlace): Promise<JournalReader | undefined> {
  const path = storePath(place, JOURNAL);
  try {
    if (!isThere(path)) return undefined;
    // Native, and of no use where there is no journal.
    const { default: SqlDatabase } = await import("libsql");
    const address = (how: string) => `${pathToFileURL(path).href}?${how}`;
    return openReader(path, {
      open: (how) => checked(new SqlDatabase(address(how)), path),
      // Without a name: SQLite keeps it in a file that nobody else finds, and that is gone when it is closed.
      copy: (how) => copied(new SqlDatabase(""), address(how)),
    });
  } catch (error) {
    throw journalError(path, error);
  }
}

interface Opening {
  readonly isBehind: boolean;
  /** Makes another database with everything that can be read of this one. */
  readonly copy: () => Database;
}

/**
 * Reads a journal while others write to it. Where damage is met, what can be read is copied, and the copy is read instead: rows come a
 * hundred at a time, so that those around the damage would be missing, and all that come after it.
 */
export class JournalReader {
  readonly path: string;
  /** What was written last may be missing: it is in a file beside it that cannot be used where nobody may write. */
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

  /** What was met so far; whoever shows what was read says this, too. */
  get damage(): HooklineError | undefined {
    return this.#damage;
  }

  /** The rows of a query, each as the schema reads it; those that it does not fit are left out. */
  rows<Row>(row: z.ZodType<Row>, sql: string, values: readonly (string | number)[] = []): Row[] {
    try {
      return this.#read(row, sql, values);
    } catch (error) {
      const trouble = journalError(this.path, error);
      if (!isDamaged(error)) throw trouble;
      return this.#goOn(trouble) ? this.rows(row, sql, values) : [];
    }
  }

  /** The rows of a query as they are, for who must not miss one: damage is thrown. */
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

  /** Once; false where there is nothing else to be read. */
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
    // Readers share a file with writers, and make it if it is not there. In a folder where we may not, it is read as it lies.
    const db = openAsItLies(open);
    if (db === undefined) throw error;
    return new JournalReader(path, db, { isBehind: sizeOf(`${path}-wal`) > 0, copy: () => copy(AS_IT_LIES) });
  }
}

function openAsItLies(open: Ways["open"]): Database | undefined {
  try {
    return open(AS_IT_LIES);
  } catch {
    return undefined; // the first attempt said why
  }
}
