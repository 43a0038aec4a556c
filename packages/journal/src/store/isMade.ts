import { closeSync, constants, lstatSync, openSync, readSync } from "node:fs";
import { lockOf } from "../state/makingLock.ts";

/**
 * Whether a store has its tables. The file size does not tell: while another process holds the creation lock, SQLite
 * writes the first page before any table exists. A commit does, because the first commit creates the tables.
 */
export function isMade(path: string): boolean {
  if (sizeOf(path) === 0) return false;
  if (lstatSync(lockOf(path), { throwIfNoEntry: false }) === undefined) return true;
  return reading(path, hasVersion) || (sizeOf(`${path}-wal`) > 0 && reading(`${path}-wal`, hasCommit));
}

type Read = (at: number) => number;

/** Offset of `user_version` in a database header. */
const VERSION_AT = 60;

function hasVersion(read: Read): boolean {
  return read(VERSION_AT) !== 0;
}

/** Layout of the WAL file: its header and the header of each frame. */
const LOG = { header: 32, pageSizeAt: 8, frameHeader: 24, commitAt: 4 };
/** Far more than creating the tables takes. */
const MOST_FRAMES = 500;

/** The last frame of a transaction stores the size of the database in its header, the others store 0. */
function hasCommit(read: Read): boolean {
  const frameBytes = LOG.frameHeader + read(LOG.pageSizeAt);
  for (let frame = 0; frame < MOST_FRAMES; frame++) {
    if (read(LOG.header + frame * frameBytes + LOG.commitAt) !== 0) return true;
  }
  return false;
}

/** Gives `work` the numbers in a file; past the end they are 0. */
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
