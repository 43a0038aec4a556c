import SqlDatabase, { type Database } from "libsql";
import { JOURNAL, wrongForm } from "../records/journalError.ts";
import { JOURNAL_FORMS, JOURNAL_SCHEMA, JOURNAL_VERSION, upgradeJournal } from "../records/journalSchema.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { createStore } from "../store/createStore.ts";
import { inTransaction } from "../store/inTransaction.ts";
import { journalMode } from "../store/journalMode.ts";
import { formFault, versionOf } from "../store/schemaFault.ts";
import { makeStoreFile } from "../store/storeFile.ts";

/** Size limit of the WAL file. */
const LOG_BYTES = 32 * 1024 ** 2;
/** Returns the space that retention frees. */
const BEFORE_TABLES = "PRAGMA auto_vacuum = INCREMENTAL;";

/** Opens the journal of a project for writing; creates it if missing. */
export function openJournal(place: StatePlace): Database {
  return openJournalFile(makeStoreFile(place, JOURNAL));
}

/** The same by path, in an existing folder. */
export function openJournalFile(path: string): Database {
  createStore(path, { connect, schema: JOURNAL_SCHEMA, pragmas: BEFORE_TABLES });
  return prepared(connect(path), path);
}

const connect = (file: string) => new SqlDatabase(file);

function prepared(db: Database, path: string): Database {
  try {
    db.exec("PRAGMA busy_timeout = 0"); // the writer retries on its own
    db.exec("PRAGMA trusted_schema = OFF");
    refuseOther(db, path);
    // Durable across power loss: the chain head lives in another file and must never be ahead of the journal.
    db.exec("PRAGMA synchronous = FULL");
    db.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    prepareSchema(db);
    db.exec(journalMode(path));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Check before the first write: a write could run code from a foreign schema. */
function refuseOther(db: Database, path: string): void {
  const fault = formFault(db, JOURNAL_FORMS);
  if (fault !== undefined) throw wrongForm(fault);
  const version = versionOf(db);
  if (version > JOURNAL_VERSION) {
    throw JOURNAL.unusable(path, `the journal was created by a newer hookline (schema ${version})`, {
      next: "Use the newer hookline here as well.",
    });
  }
}

function prepareSchema(db: Database): void {
  if (versionOf(db) === JOURNAL_VERSION) return;
  if (versionOf(db) === 0) db.exec(BEFORE_TABLES);
  inTransaction(db, () => upgradeJournal(db, versionOf(db)));
}
