import { formFault, inTransaction, versionOf } from "@hookline/journal/program";
import type { Database } from "libsql";
import { damagedForm, unusable } from "./storeError.ts";
import { TASK_STATUSES } from "./task.ts";

export const TASKS_VERSION = 1;

/** `root` is the identity of the project folder that a task was created for. */
export const TASKS_SCHEMA = `
  CREATE TABLE tasks (
    key TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    ability_id TEXT NOT NULL,
    ref TEXT NOT NULL,
    input TEXT NOT NULL,
    environment TEXT,
    status TEXT NOT NULL CHECK (status IN (${TASK_STATUSES.map((status) => `'${status}'`).join(", ")})),
    caller TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT,
    runs INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    pid INTEGER,
    host TEXT,
    lease_until INTEGER,
    objection TEXT,
    approval TEXT,
    result TEXT
  ) STRICT;
  CREATE INDEX tasks_by_status ON tasks (status, created_at);
  CREATE INDEX tasks_by_age ON tasks (created_at);
  PRAGMA user_version = ${TASKS_VERSION};
`;

/** Refuses a store of another version before any write: triggers in it could run then. */
export function refuseOther(db: Database, file: string): void {
  const fault = formFault(db, [TASKS_SCHEMA]);
  if (fault !== undefined) throw damagedForm(file, fault);
  const version = versionOf(db);
  if (version > TASKS_VERSION) {
    const what = `the task store was created by a newer hookline (schema ${version}, this one knows ${TASKS_VERSION})`;
    throw unusable(file, what, { next: "Use the newer hookline here too." });
  }
}

/** Creates the tables. Several processes may find the store empty at once; one of them creates the tables. */
export function prepareSchema(db: Database): void {
  if (versionOf(db) === 0) inTransaction(db, () => versionOf(db) === 0 && db.exec(TASKS_SCHEMA));
}
