import { lstatSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { HooklineError } from "@hookline/engine";
import type { Database } from "libsql";
import { z } from "zod";
import { storePath } from "../store/storeFile.ts";
import { isDamaged, JOURNAL, journalError } from "./journalError.ts";
import { JOURNAL_VERSION } from "./journalSchema.ts";

const PATIENCE_MS = 2_000;
const TABLES = ["records", "checkpoints", "hook_days", "hook_latency", "hook_last", "event_days"];

/** The journal of a project for who only looks; undefined where nothing was written yet. JOURNAL_UNUSABLE if it cannot be read. */
export async function openJournalReader(projectRoot: string): Promise<JournalReader | undefined> {
  const path = storePath(projectRoot, JOURNAL);
  try {
    if (!isThere(path)) return undefined;
    // Native, and of no use where there is no journal.
    const { default: SqlDatabase } = await import("libsql");
    const open = (how: string) => checked(new SqlDatabase(`${pathToFileURL(path).href}?${how}`), path);
    return openReader(path, open);
  } catch (error) {
    throw journalError(path, error);
  }
}

/** Reads a journal while others write to it. Where it is damaged, what comes before the damage is read. */
export class JournalReader {
  readonly path: string;
  /** What was written last may be missing: it is in a file beside it that cannot be used where nobody may write. */
  readonly isBehind: boolean;
  readonly #db: Database;
  #damage: HooklineError | undefined;

  constructor(path: string, db: Database, { isBehind }: { readonly isBehind: boolean }) {
    this.path = path;
    this.isBehind = isBehind;
    this.#db = db;
  }

  /** What was met so far; whoever shows what was read says this, too. */
  get damage(): HooklineError | undefined {
    return this.#damage;
  }

  /** The rows of a query, each as the schema reads it; those that it does not fit are left out. */
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

  /** The rows of a query as they are, for who must not miss one: damage is thrown. */
  each(sql: string, values: readonly (string | number)[] = []): Iterable<unknown> {
    return this.#db.prepare(sql).iterate(values);
  }

  close(): void {
    this.#db.close();
  }
}

/** An empty file is one that somebody is about to fill. A pipe would keep us waiting for ever. */
function isThere(path: string): boolean {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw JOURNAL.unusable(file, "this is no regular file", { next: "Move it away." });
  }
  return sizeOf(path) > 0;
}

function openReader(path: string, open: (how: string) => Database | undefined): JournalReader | undefined {
  try {
    const db = open("mode=ro");
    return db && new JournalReader(path, db, { isBehind: false });
  } catch (error) {
    if (isDamaged(error)) throw error;
    // Readers share a file with writers, and make it if it is not there. In a folder where we may not, it is read as it lies.
    const db = openAsItLies(open);
    if (db === undefined) throw error;
    return new JournalReader(path, db, { isBehind: sizeOf(`${path}-wal`) > 0 });
  }
}

function openAsItLies(open: (how: string) => Database | undefined): Database | undefined {
  try {
    return open("mode=ro&immutable=1");
  } catch {
    return undefined; // the first attempt said why
  }
}

const version = z.object({ user_version: z.number() });
const count = z.object({ tables: z.number() });

/** Undefined while it is being made. A repository may bring any file of this name: nothing but plain tables is read. */
function checked(db: Database, path: string): Database | undefined {
  try {
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA trusted_schema = OFF`);
    const { user_version } = version.parse(db.prepare("PRAGMA user_version").get());
    if (user_version === 0) return undefined;
    if (user_version > JOURNAL_VERSION) {
      throw JOURNAL.unusable(path, `the journal was made by a newer hookline (form ${user_version})`, {
        next: "Use the newer hookline here, too.",
      });
    }
    const named = TABLES.map((table) => `'${table}'`).join(", ");
    const sql = `SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name IN (${named})`;
    if (count.parse(db.prepare(sql).get()).tables === TABLES.length) return db;
    throw JOURNAL.unusable(path, "the file is no journal", { next: "Move it away; hookline makes a new one." });
  } catch (error) {
    db.close();
    throw error;
  }
}

function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
