import { existsSync } from "node:fs";
import SqlDatabase, { type Database } from "libsql";
import { JOURNAL, wrongForm } from "../records/journalError.ts";
import { JOURNAL_FORMS, JOURNAL_VERSION, upgradeJournal } from "../records/journalSchema.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { inTransaction } from "../store/inTransaction.ts";
import { journalMode } from "../store/journalMode.ts";
import { formFault, versionOf } from "../store/schemaFault.ts";
import { makeStoreFile, openOnce } from "../store/storeFile.ts";

/** Of the file in which SQLite keeps what is new. */
const LOG_BYTES = 32 * 1024 ** 2;

/** The journal of a project for writing, made if it is not there. */
export function openJournal(place: StatePlace): Database {
  return openJournalFile(makeStoreFile(place, JOURNAL));
}

/** The same by its path, in a folder that is there. */
export function openJournalFile(path: string): Database {
  const isNew = !existsSync(path);
  return openOnce(path, () => prepared(new SqlDatabase(path), path, isNew));
}

function prepared(db: Database, path: string, isNew: boolean): Database {
  try {
    db.exec("PRAGMA busy_timeout = 0"); // whoever writes waits by itself
    db.exec("PRAGMA trusted_schema = OFF");
    refuseOther(db, path);
    if (isNew) db.exec("PRAGMA auto_vacuum = INCREMENTAL"); // what retention removes is given back
    db.exec(journalMode(path));
    // What was acknowledged stays, whatever happens to the machine: else its end, which is kept elsewhere, would not fit any more.
    db.exec("PRAGMA synchronous = FULL");
    db.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    prepareSchema(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Before anything is written: what a file has in it could run then. */
function refuseOther(db: Database, path: string): void {
  const fault = formFault(db, JOURNAL_FORMS);
  if (fault !== undefined) throw wrongForm(fault);
  const version = versionOf(db);
  if (version > JOURNAL_VERSION) {
    throw JOURNAL.unusable(path, `the journal was made by a newer hookline (form ${version})`, {
      next: "Use the newer hookline here, too.",
    });
  }
}

function prepareSchema(db: Database): void {
  if (versionOf(db) === JOURNAL_VERSION) return;
  inTransaction(db, () => upgradeJournal(db, versionOf(db)));
}
