import { lstatSync } from "node:fs";
import type { Database } from "libsql";
import { z } from "zod";
import { fileFault } from "../state/ownFolder.ts";
import { filesOf } from "../store/storeFile.ts";
import { copyReadable } from "./copyReadable.ts";
import { JOURNAL } from "./journalError.ts";
import { createJournal, JOURNAL_VERSION } from "./journalSchema.ts";

const PATIENCE_MS = 2_000;
const TABLES = ["records", "checkpoints", "hook_days", "hook_latency", "hook_last", "event_days"];

/** An empty file is one that somebody is about to fill. A pipe would keep us waiting for ever. */
export function isThere(path: string): boolean {
  for (const file of filesOf(path)) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    const fault = stats && fileFault(stats);
    if (fault !== undefined) throw JOURNAL.unusable(file, fault, { next: "Move it away." });
  }
  return sizeOf(path) > 0;
}

/** Everything that can be read of a damaged one, in a database that is still empty. */
export function copied(db: Database, from: string): Database {
  try {
    db.exec("PRAGMA trusted_schema = OFF");
    createJournal(db);
    copyReadable(db, from);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const version = z.object({ user_version: z.number() });
const count = z.object({ tables: z.number() });
const NAMES = TABLES.map((table) => `'${table}'`).join(", ");
const OURS = `SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name IN (${NAMES})`;

/** Undefined while it is being made. A repository may bring any file of this name: nothing but plain tables is read. */
export function checked(db: Database, path: string): Database | undefined {
  try {
    // Together: it may be made between one question and the next.
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA trusted_schema = OFF; BEGIN`);
    const { user_version } = version.parse(db.prepare("PRAGMA user_version").get());
    const { tables } = count.parse(db.prepare(OURS).get());
    db.exec("COMMIT");
    if (user_version > JOURNAL_VERSION) {
      throw JOURNAL.unusable(path, `the journal was made by a newer hookline (form ${user_version})`, {
        next: "Use the newer hookline here, too.",
      });
    }
    if (user_version > 0 && tables === TABLES.length) return db;
    if (tables > 0) throw wrongForm(user_version === 0 ? "it has tables, and no version" : "a table is missing");
    if (user_version > 0) {
      throw JOURNAL.unusable(path, "the file is no journal", { next: "Move it away; hookline makes a new one." });
    }
    db.close();
    return undefined;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The tables and the version are made together, so that one without the other is damage. */
function wrongForm(what: string): Error {
  return Object.assign(new Error(what), { code: "SQLITE_CORRUPT" });
}

export function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
