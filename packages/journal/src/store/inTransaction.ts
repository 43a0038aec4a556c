import type { Database } from "libsql";

/**
 * Runs `work` in an exclusive write transaction, all or nothing. Always ends it: a lock left behind would block every
 * other process.
 */
export function inTransaction<Result>(db: Database, work: () => Result): Result {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** SQLite rolls back by itself after some errors; a second rollback then fails. */
function rollBack(db: Database): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // no transaction is open
  }
}
