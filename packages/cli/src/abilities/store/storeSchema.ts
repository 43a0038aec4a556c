import type { Database } from "libsql";
import { z } from "zod";
import { inTransaction } from "../../store/inTransaction.ts";
import { unusable } from "./storeError.ts";
import { TASK_STATUSES } from "./task.ts";

const VERSION = 1;

const CREATE = `
  CREATE TABLE tasks (
    key TEXT PRIMARY KEY,
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
  PRAGMA user_version = ${VERSION};
`;

/** Brings an empty file into form. Many processes may find it empty at once; one of them does it. */
export function prepareSchema(db: Database, file: string): void {
  if (versionOf(db) === VERSION) return;
  inTransaction(db, () => {
    const version = versionOf(db);
    if (version > VERSION) {
      const next = "Use the newer hookline here, too.";
      throw unusable(
        file,
        `the store of tasks was made by a newer hookline (form ${version}, this one knows ${VERSION})`,
        { next },
      );
    }
    if (version < VERSION) db.exec(CREATE);
  });
}

const versionRow = z.object({ user_version: z.number() });

function versionOf(db: Database): number {
  return versionRow.parse(db.prepare("PRAGMA user_version").get()).user_version;
}
