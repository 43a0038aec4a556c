import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { removeOldFolders } from "./oldFolders.ts";

/** Where a file of the cache lies: `~/.cache/hookline/<folder>/<name>`. Environment variables for caches are not read: a project may set them. */
export interface CachePlace {
  readonly homeDir: string;
  readonly folder: string;
  readonly name: string;
}

/** What a file holds, and the mark of the folder that it lies in. */
export interface CacheFile {
  readonly contents: Buffer;
  readonly mark: string;
}

const MOST_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 128 * 1024;

/** Undefined where the file is missing or damaged, or anybody else could have written it: code is run from it. */
export function readCacheFile(place: CachePlace): CacheFile | undefined {
  let file: number | undefined;
  try {
    const mark = markOf(cacheFolder(place));
    file = openSync(
      join(cacheFolder(place), place.name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.nlink !== 1 || stats.size > MOST_BYTES || !isPrivate(stats)) return undefined;
    const contents = readTwice(file, stats.size / 2);
    return contents && { contents, mark };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * A file holds its contents twice. Damage shows as a difference: to compare takes a hundredth of the time that a checksum takes before it
 * is compiled. The copy is read in chunks, since fresh memory costs more than the reading.
 */
function readTwice(file: number, length: number): Buffer | undefined {
  if (!Number.isInteger(length)) return undefined;
  const contents = Buffer.allocUnsafeSlow(length);
  if (readSync(file, contents, 0, length, 0) !== length) return undefined;
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let at = 0; at < length; ) {
    const read = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, length - at), length + at);
    if (read === 0 || chunk.compare(contents, at, at + read, 0, read) !== 0) return undefined;
    at += read;
  }
  return contents;
}

/** Writes the file in one step; where that fails, there is none. */
export function writeCacheFile(place: CachePlace, contentsFor: (mark: string) => Buffer): void {
  const draft = join(cacheFolder(place), `${place.name}.${process.pid}`);
  try {
    makeFolders(place);
    const contents = contentsFor(markOf(cacheFolder(place)));
    writeFileSync(draft, Buffer.concat([contents, contents]), { mode: 0o600, flag: "wx" });
    renameSync(draft, join(cacheFolder(place), place.name));
  } catch {
    removeDraft(draft);
  }
}

function cacheFolder({ homeDir, folder }: CachePlace): string {
  return join(homeDir, ".cache/hookline", folder);
}

/**
 * Tells this folder from every other on every machine, so that a file which came with a clone, an archive or a copy is refused, even where
 * the home folder is a clone. Throws if others can write to the folder.
 */
export function markOf(folder: string): string {
  const [, { dev, ino, birthtimeMs }] = [privateFolder(dirname(folder)), privateFolder(folder)];
  return `${dev}-${ino}-${birthtimeMs}`;
}

function privateFolder(path: string): Stats {
  const stats = lstatSync(path);
  if (!stats.isDirectory() || !isPrivate(stats)) throw new Error(`${path} is not a private folder`);
  return stats;
}

/** Level by level, and only in a home of this user: as root in the home of another, they would be closed to their owner. */
function makeFolders(place: CachePlace): void {
  const { homeDir } = place;
  if (!isOwn(statSync(homeDir))) throw new Error(`${homeDir} belongs to another user`);
  const folder = cacheFolder(place);
  for (const path of [join(homeDir, ".cache"), dirname(folder)]) makeFolder(path);
  if (makeFolder(folder)) removeOldFolders(dirname(folder));
}

function makeFolder(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  mkdirSync(path, { mode: 0o700 });
  return true;
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // In a folder that cannot be written there is none.
  }
}

function isPrivate(stats: Stats): boolean {
  return isOwn(stats) && (process.platform === "win32" || (stats.mode & 0o077) === 0);
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
