import { join } from "node:path";
import type { Database } from "libsql";

export const HEADS_VERSION = 1;

export const HEADS_SCHEMA = `
  CREATE TABLE heads (
    chain TEXT PRIMARY KEY,
    project TEXT NOT NULL UNIQUE,
    key BLOB NOT NULL,
    n INTEGER NOT NULL,
    mac BLOB NOT NULL
  ) STRICT;
  PRAGMA user_version = ${HEADS_VERSION};
`;

/** The user's store for all projects. */
export function headsPath(homeDir: string): string {
  return join(homeDir, ".hookline", "journals.db");
}

export function createHeads(db: Database): void {
  db.exec(HEADS_SCHEMA);
}
