import { lstatSync } from "node:fs";
import type { Database } from "libsql";
import { JOURNAL, wrongForm } from "../records/journalError.ts";
import { JOURNAL_FORMS, JOURNAL_VERSION } from "../records/journalSchema.ts";
import { linkedFileFault } from "../state/draft.ts";
import { formFault, versionOf } from "../store/schemaFault.ts";
import { filesOf } from "../store/storeFile.ts";

const PATIENCE_MS = 2_000;

/** Another process is about to fill an empty file. Opening a pipe would block forever. */
export function isThere(path: string): boolean {
  for (const file of filesOf(path)) {
    const fault = linkedFileFault(file);
    if (fault !== undefined) throw JOURNAL.unusable(file, fault, { next: "Move it away." });
  }
  return sizeOf(path) > 0;
}

/** Undefined while the journal is being created. Refuses a file with another schema. */
export function checked(db: Database, path: string): Database | undefined {
  try {
    // In one transaction: the journal may be created between two queries.
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA trusted_schema = OFF; BEGIN`);
    const version = versionOf(db);
    const fault = formFault(db, JOURNAL_FORMS);
    db.exec("COMMIT");
    if (version > JOURNAL_VERSION) {
      throw JOURNAL.unusable(path, `the journal was created by a newer hookline (schema ${version})`, {
        next: "Use the newer hookline here as well.",
      });
    }
    if (fault !== undefined) throw wrongForm(fault);
    if (version > 0) return db;
    db.close();
    return undefined;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
