import type { StatePlace } from "@hookline/journal";
import { createStore, journalMode, makeStoreFile, rootIdentity } from "@hookline/journal/program";
import type { Database } from "libsql";
import { counted } from "../../terminal/table.ts";
import { lapseTasks } from "./lapseTasks.ts";
import { TASKS } from "./storeError.ts";
import { prepareSchema, refuseOther, TASKS_SCHEMA } from "./storeSchema.ts";

export type Notify = (text: string) => void;

/** The store of a project, made if it is not there. */
export async function openStore(place: StatePlace, onNotice: Notify): Promise<Database> {
  const path = makeStoreFile(place, TASKS);
  // Native, and of no use to most commands.
  const { default: SqlDatabase } = await import("libsql");
  const connect = (file: string) => new SqlDatabase(file);
  createStore(path, { connect, schema: TASKS_SCHEMA });
  const db = prepared(connect(path), path);
  const lapsed = lapseTasks(db, rootIdentity(place.projectRoot));
  if (lapsed > 0) onNotice(`${counted(lapsed, "open task")} lapsed: another folder lies at ${place.projectRoot} now.`);
  return db;
}

function prepared(db: Database, path: string): Database {
  try {
    db.exec("PRAGMA busy_timeout = 0"); // whoever asks waits by itself
    db.exec("PRAGMA trusted_schema = OFF");
    refuseOther(db, path);
    // A task that was claimed stays claimed, whatever happens to the machine: else it would run a second time.
    db.exec("PRAGMA synchronous = FULL");
    prepareSchema(db);
    db.exec(journalMode(path));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
