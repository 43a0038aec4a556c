import type { Database } from "libsql";

/**
 * `records` is append-only, pruned from its start; every row is signed, see chain.ts. The other tables are derived from
 * it, for queries that must not read a million rows.
 */
const FIRST_TABLES = `
  CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    chain TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session TEXT NOT NULL,
    turn INTEGER NOT NULL,
    event_id TEXT,
    event TEXT,
    subject TEXT,
    hook TEXT,
    outcome TEXT NOT NULL,
    duration_us INTEGER NOT NULL,
    body TEXT NOT NULL,
    written INTEGER NOT NULL,
    prev BLOB NOT NULL,
    mac BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX records_by_chain ON records (chain, n);
  CREATE INDEX records_by_time ON records (at);
  CREATE INDEX records_by_session ON records (session, turn, id);
  CREATE INDEX records_by_event_id ON records (event_id) WHERE event_id IS NOT NULL;
  CREATE INDEX records_by_event ON records (event, id) WHERE event IS NOT NULL;
  CREATE INDEX records_by_hook ON records (hook, id) WHERE hook IS NOT NULL;
  CREATE INDEX records_by_outcome ON records (outcome, id);

  CREATE TABLE checkpoints (
    chain TEXT NOT NULL,
    n INTEGER NOT NULL,
    mac BLOB NOT NULL,
    at INTEGER NOT NULL,
    why TEXT NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY (chain, n)
  ) STRICT;

  CREATE TABLE hook_days (
    hook TEXT NOT NULL,
    source TEXT NOT NULL,
    day INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    asks INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    skips INTEGER NOT NULL,
    total_us INTEGER NOT NULL,
    max_us INTEGER NOT NULL,
    PRIMARY KEY (hook, source, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE hook_latency (
    hook TEXT NOT NULL,
    source TEXT NOT NULL,
    day INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (hook, source, day, bucket)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE hook_last (
    hook TEXT NOT NULL,
    source TEXT NOT NULL,
    place TEXT,
    type TEXT NOT NULL,
    event TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    failed_at INTEGER,
    blocked_at INTEGER,
    PRIMARY KEY (hook, source)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE event_days (
    event TEXT NOT NULL,
    day INTEGER NOT NULL,
    matched INTEGER NOT NULL,
    unmatched INTEGER NOT NULL,
    PRIMARY KEY (event, day)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Only hooks that answer `usage_recorded` have rows here. A table instead of a column: ALTER TABLE would change the
 * stored text of `hook_days`.
 */
const USAGE_TABLE = `
  CREATE TABLE usage_days (
    hook TEXT NOT NULL,
    source TEXT NOT NULL,
    day INTEGER NOT NULL,
    recorded INTEGER NOT NULL,
    PRIMARY KEY (hook, source, day)
  ) STRICT, WITHOUT ROWID;
`;

/** What each version adds to the previous one. */
const STEPS = [FIRST_TABLES, USAGE_TABLE];

export const JOURNAL_VERSION = STEPS.length;
/** The statements that create each version, starting with version 1. */
export const JOURNAL_FORMS: readonly string[] = STEPS.map((_, last) => STEPS.slice(0, last + 1).join(""));
export const JOURNAL_SCHEMA = stepsFrom(0);

export function createJournal(db: Database): void {
  db.exec(JOURNAL_SCHEMA);
}

/** Adds the tables that an earlier version does not have; version 0 is an empty file. Records are not changed. */
export function upgradeJournal(db: Database, version: number): void {
  db.exec(stepsFrom(version));
}

function stepsFrom(version: number): string {
  return `${STEPS.slice(Math.max(0, version)).join("")}  PRAGMA user_version = ${STEPS.length};\n`;
}
