import type { Database } from "libsql";
import type { StatePlace } from "../../state/statePlace.ts";
import { makeStoreFile, openOnce } from "../../store/storeFile.ts";
import { TASKS } from "./storeError.ts";
import { prepareSchema } from "./storeSchema.ts";

/** The store of a project, made if it is not there. */
export async function openStore(place: StatePlace): Promise<Database> {
  const path = makeStoreFile(place, TASKS);
  // Native, and of no use to most commands.
  const { default: SqlDatabase } = await import("libsql");
  return openOnce(path, () => prepared(new SqlDatabase(path), path));
}

function prepared(db: Database, path: string): Database {
  try {
    db.exec("PRAGMA busy_timeout = 0"); // whoever asks waits by itself
    db.exec("PRAGMA journal_mode = WAL");
    // A task that was claimed stays claimed, whatever happens to the machine: else it would run a second time.
    db.exec("PRAGMA synchronous = FULL");
    prepareSchema(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
