import { createHash } from "node:crypto";
import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

/** The stat fields that identify a file's state; undefined if there is no file. */
export type FileStamp =
  | { readonly [Field in "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode"]: number }
  | undefined;

const NO_ERROR = { throwIfNoEntry: false } as const;

/** A file that cannot be examined, for example behind a loop of links, counts as absent. */
export function fileStamp(file: string): FileStamp {
  try {
    return statSync(file, NO_ERROR);
  } catch {
    return undefined;
  }
}

/** Cheap enough for every run; false if the file may have changed. Compares numbers: building a string costs as much as the stat. */
export function sameStamp(one: FileStamp, other: FileStamp): boolean {
  if (one === other) return true;
  return (
    one !== undefined &&
    other !== undefined &&
    one.ino === other.ino &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.size === other.size &&
    one.mode === other.mode &&
    one.dev === other.dev
  );
}

export function sameStamps(some: readonly FileStamp[], others: readonly FileStamp[]): boolean {
  return some === others || (some.length === others.length && some.every((one, i) => sameStamp(one, others[i])));
}

/** Larger files are not read: a sparse file costs its author nothing and us minutes. */
const MOST_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Why a file cannot be read whole; undefined if it can. */
export function contentFault(file: string): string | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return "is not a regular file";
    if (stats.size > MOST_BYTES) return `is larger than ${MOST_BYTES / 1024 / 1024} MiB`;
    accessSync(file, constants.R_OK);
    return undefined;
  } catch {
    return "cannot be read";
  }
}

/** Undefined if the content cannot be read: no permission, too large, or not a regular file. Such a file never counts as unchanged. */
export function contentHash(file: string): string | undefined {
  return readContent(file).hash;
}

export interface FileContent {
  readonly file: string;
  readonly hash: string | undefined;
  readonly stamp: FileStamp;
}

/** The stamp comes from the open descriptor: by name, another program could swap the file in between. */
export function readContent(file: string): FileContent {
  try {
    // Do not block on a pipe in its place.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      return { file, ...settledContent(descriptor) };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return { file, stamp: fileStamp(file), hash: undefined };
  }
}

/**
 * Timestamps advance in clock ticks. A file that changes again in the tick in which it was read would keep its stamp, so wait until that
 * tick is over. Content that keeps changing cannot be trusted.
 */
function settledContent(descriptor: number): Omit<FileContent, "file"> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const stamp = fstatSync(descriptor);
    // Slightly negative because this clock has millisecond precision; far in the future means the clock was wrong.
    const ageMs = Date.now() - stamp.ctimeMs;
    if (Math.abs(ageMs) < LONGEST_TICK_MS) pause(LONGEST_TICK_MS - ageMs);
    const hash = descriptorHash(descriptor);
    if (sameStamp(stamp, fstatSync(descriptor))) return { stamp, hash };
  }
  return { stamp: undefined, hash: undefined };
}

const MOST_ATTEMPTS = 3;
/** Kernels without fine-grained timestamps have ticks of at most 10 ms. */
const LONGEST_TICK_MS = 20;

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function descriptorHash(descriptor: number): string | undefined {
  if (!fstatSync(descriptor).isFile()) return undefined;
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let total = 0; ; ) {
    const count = readSync(descriptor, chunk, 0, CHUNK_BYTES, total);
    if (count === 0) return hash.digest("hex");
    total += count;
    if (total > MOST_BYTES) return undefined;
    hash.update(chunk.subarray(0, count));
  }
}
