import { closeSync, existsSync, lstatSync, openSync, rmSync } from "node:fs";
import type { Database } from "libsql";
import { draftOf, linkDraft, removeLeftBehind } from "../state/draft.ts";
import { journalMode } from "./journalMode.ts";
import { filesOf } from "./storeFile.ts";

export interface NewStore {
  /** Opens a file as a database. */
  readonly connect: (file: string) => Database;
  /** Creates the tables and sets their version. */
  readonly schema: string;
  /** Statements that have an effect only before there are tables. */
  readonly pragmas?: string;
}

/**
 * Creates a database if it is missing: complete under another name, then linked into place, so that no process finds it
 * without its tables. If another process is faster, its database stays.
 */
export function createStore(path: string, store: NewStore): void {
  removeLeftBehind(path);
  if (sizeOf(path) === undefined) create(path, store);
  if (sizeOf(path) === 0 && hasOldLog(path)) discardOldLog(path, store);
}

function create(path: string, store: NewStore): void {
  const draft = draftOf(path);
  createEmpty(draft);
  try {
    fill(draft, store);
    if (hasOldLog(path) || !linkDraft(draft, path)) claim(path);
  } finally {
    for (const file of [...filesOf(draft), `${draft}-journal`]) rmSync(file, { force: true });
  }
}

function fill(draft: string, { connect, schema, pragmas = "" }: NewStore): void {
  const db = connect(draft);
  try {
    // Not by prepared statements: libsql keeps the file open, and its WAL file, until those are collected.
    db.exec(`${pragmas} BEGIN; ${schema} COMMIT; ${journalMode(draft)}`);
  } finally {
    db.close();
  }
}

/** SQLite would replay the log of a removed database into a complete one. It discards one beside an empty file. */
function hasOldLog(path: string): boolean {
  return [`${path}-wal`, `${path}-journal`].some((file) => existsSync(file));
}

/** The first read discards it. That fails if another process does the same at the same moment. */
function discardOldLog(path: string, { connect }: NewStore): void {
  for (let attempt = 0; attempt < 3; attempt++) {
    const db = connect(path);
    try {
      db.exec("SELECT 1 FROM sqlite_schema");
      return;
    } catch {
      // the one who opens the database finds other errors again
    } finally {
      db.close();
    }
  }
}

/**
 * The other way, also for file systems without hard links: an empty file, which the first process that opens it fills
 * under SQLite's own locks. Unlike a rename, it cannot replace the database of another process.
 */
function claim(path: string): void {
  try {
    createEmpty(path);
  } catch (error) {
    if (sizeOf(path) === undefined) throw error;
  }
}

/** Follows no link and reuses no file. SQLite itself would make it world-readable, and the files beside it, too. */
function createEmpty(file: string): void {
  closeSync(openSync(file, "wx", 0o600));
}

function sizeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.size;
}
