import type { Database } from "libsql";

/** Held by the one daemon of a user. The kernel releases it when the process ends, however it ends. */
export interface DaemonLock {
  release(): void;
}

/**
 * Undefined if another process holds it. A database, because Node has no other lock that a killed process loses. Nothing is written, so that
 * a full disk keeps no guard from running: the journal of a new database would be.
 */
export async function takeDaemonLock(file: string): Promise<DaemonLock | undefined> {
  const { default: SqlDatabase } = await import("libsql");
  const database = new SqlDatabase(file);
  if (!isLocked(database)) {
    database.close();
    return undefined;
  }
  return { release: () => database.close() };
}

function isLocked(database: Database): boolean {
  try {
    database.exec(
      "PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
    );
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return false;
    throw error;
  }
}
