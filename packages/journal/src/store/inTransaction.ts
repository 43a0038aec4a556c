import type { Database } from "libsql";

/** All of it or nothing, with nobody else writing meanwhile. A lock that was left behind would keep everybody else waiting. */
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

/** SQLite has done it already after some errors, and says so with another one. */
function rollBack(db: Database): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // there was nothing to take back
  }
}
