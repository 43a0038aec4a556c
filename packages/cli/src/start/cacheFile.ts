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

/** The location of a cache file: `~/.cache/hookline/<folder>/<name>`. Ignores environment variables for caches, because a project may set them. */
export interface CachePlace {
  readonly homeDir: string;
  readonly folder: string;
  readonly name: string;
}

/** The content of a cache file, and the mark of its folder. */
export interface CacheFile {
  readonly contents: Buffer;
  readonly mark: string;
}

const MOST_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 128 * 1024;

/** Undefined if the file is missing, damaged or writable by another user: the program runs its code. */
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
 * A file contains its data twice, so a difference shows damage: comparing takes a hundredth of the time of a checksum that is not
 * compiled yet. Reads the copy in chunks, because fresh memory costs more than reading.
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

/** Writes the file atomically; a failure leaves no file. */
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
 * Identifies this folder among all folders and machines, so that a file from a clone, an archive or a copy is refused, even if the
 * home folder itself is a clone. Throws if others can write to the folder.
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

/** Creates the folders, only in this user's own home: root would lock another user out of folders in their home. */
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
    // A folder that we cannot write to has no draft.
  }
}

function isPrivate(stats: Stats): boolean {
  return isOwn(stats) && (process.platform === "win32" || (stats.mode & 0o077) === 0);
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
