import { closeSync, constants, lstatSync, openSync, readSync } from "node:fs";
import { lockOf } from "../state/makingLock.ts";

/**
 * Whether a store has its tables. SQLite writes the first page before there are any, so that beside a lock the size of the file says
 * nothing; what was committed does, since the first thing that is committed makes the tables.
 */
export function isMade(path: string): boolean {
  if (sizeOf(path) === 0) return false;
  if (lstatSync(lockOf(path), { throwIfNoEntry: false }) === undefined) return true;
  return reading(path, hasVersion) || (sizeOf(`${path}-wal`) > 0 && reading(`${path}-wal`, hasCommit));
}

type Read = (at: number) => number;

/** `user_version` in the header of a database. */
const VERSION_AT = 60;

function hasVersion(read: Read): boolean {
  return read(VERSION_AT) !== 0;
}

/** Of the log that is beside a database in WAL mode: its own header, and that of each page in it. */
const LOG = { header: 32, pageSizeAt: 8, frameHeader: 24, commitAt: 4 };
/** Many times as many as tables take. */
const MOST_FRAMES = 500;

/** The last page of a transaction has the size of the database in its header, the others have 0. */
function hasCommit(read: Read): boolean {
  const frameBytes = LOG.frameHeader + read(LOG.pageSizeAt);
  for (let frame = 0; frame < MOST_FRAMES; frame++) {
    if (read(LOG.header + frame * frameBytes + LOG.commitAt) !== 0) return true;
  }
  return false;
}

/** With the numbers in a file; those beyond its end are 0. */
function reading(file: string, work: (read: Read) => boolean): boolean {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return work((at) => {
      const bytes = Buffer.alloc(4);
      readSync(descriptor, bytes, 0, bytes.length, at);
      return bytes.readUInt32BE();
    });
  } finally {
    closeSync(descriptor);
  }
}

function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
