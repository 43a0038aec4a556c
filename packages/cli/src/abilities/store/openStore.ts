import type { StatePlace } from "@hookline/journal";
import { createStore, journalMode, makeStoreFile, rootIdentity } from "@hookline/journal/program";
import type { Database } from "libsql";
import { counted } from "../../terminal/table.ts";
import { lapseTasks } from "./lapseTasks.ts";
import { TASKS } from "./storeError.ts";
import { prepareSchema, refuseOther, TASKS_SCHEMA } from "./storeSchema.ts";

export type Notify = (text: string) => void;

/** Opens the task store of a project, and creates it if it is missing. */
export async function openStore(place: StatePlace, onNotice: Notify): Promise<Database> {
  const path = makeStoreFile(place, TASKS);
  // Loaded lazily: a native module that most commands do not need.
  const { default: SqlDatabase } = await import("libsql");
  const connect = (file: string) => new SqlDatabase(file);
  createStore(path, { connect, schema: TASKS_SCHEMA });
  const db = prepared(connect(path), path);
  const lapsed = lapseTasks(db, rootIdentity(place.projectRoot));
  if (lapsed > 0) onNotice(`${counted(lapsed, "open task")} lapsed: ${place.projectRoot} is now another folder.`);
  return db;
}

function prepared(db: Database, path: string): Database {
  try {
    db.exec("PRAGMA busy_timeout = 0"); // the connection retries itself
    db.exec("PRAGMA trusted_schema = OFF");
    refuseOther(db, path);
    // Durable across power loss: a claimed task must stay claimed, or it would run twice.
    db.exec("PRAGMA synchronous = FULL");
    prepareSchema(db);
    db.exec(journalMode(path));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
