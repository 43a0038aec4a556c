import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { basename } from "node:path";
import { JOURNAL } from "../../journal/journalError.ts";
import { makeStoreFile } from "../../store/storeFile.ts";
import { counted } from "../../table.ts";
import { filesOf } from "../stores/store.ts";
import { salvage } from "./salvage.ts";

/**
 * Puts a damaged journal aside, and a new one with everything that could be read of it in its place: in order, with its signatures,
 * so that what could not be read is a gap that `--verify` shows.
 */
export async function repairJournal(projectRoot: string, now: number): Promise<string> {
  const path = makeStoreFile(projectRoot, JOURNAL);
  const draft = `${path}.repaired-${process.pid}`;
  const aside = asideOf(path, now);
  try {
    // Readable by its owner only, before anything is in it.
    closeSync(openSync(draft, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600));
    const { records, countsLost } = await salvage(path, draft);
    flush(draft);
    exchange(path, draft, { aside, isEmpty: records === 0 });
    const counts = records > 0 && countsLost ? "; some of its counts begin anew" : "";
    return `the journal was put aside as ${basename(aside)}, and ${counted(records, "record")} of it saved${counts}`;
  } finally {
    for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
  }
}

/** `journal.db.damaged-2025-11-16T09-23-43` */
function asideOf(path: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-");
  const free = [`${path}.damaged-${time}`, `${path}.damaged-${time}-${process.pid}`].find((name) => !existsSync(name));
  if (free === undefined) throw new Error("there are files of every name under which it could be put aside");
  return free;
}

/** It was written without waiting for the disk, statement by statement. */
function flush(draft: string): void {
  const descriptor = openSync(draft, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

interface Exchange {
  readonly aside: string;
  /** Nothing was saved; whoever writes next makes a new one. */
  readonly isEmpty: boolean;
}

/** Under the lock that everybody who makes a journal respects: nobody finds it gone and makes another. */
function exchange(path: string, draft: string, { aside, isEmpty }: Exchange): void {
  const lock = `${path}.lock`;
  mkdirSync(lock);
  try {
    for (const [index, file] of filesOf(path).entries()) {
      if (existsSync(file)) renameSync(file, filesOf(aside)[index] ?? aside);
    }
    if (!isEmpty) renameSync(draft, path);
  } finally {
    rmdirSync(lock);
  }
}
