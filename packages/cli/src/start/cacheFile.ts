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

/** The bytes of a file, and the mark of the folder that it lies in. */
export interface CacheFile {
  readonly bytes: Buffer;
  readonly mark: string;
}

const MOST_BYTES = 32 * 1024 * 1024;

/** Undefined where the file is missing or anybody else could have written it: code is run from it. */
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
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    return readSync(file, bytes, 0, bytes.length, 0) === bytes.length ? { bytes, mark } : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Writes the file in one step; where that fails, there is none. */
export function writeCacheFile(place: CachePlace, bytesIn: (mark: string) => Buffer): void {
  const draft = join(cacheFolder(place), `${place.name}.${process.pid}`);
  try {
    makeFolders(place);
    writeFileSync(draft, bytesIn(markOf(cacheFolder(place))), { mode: 0o600, flag: "wx" });
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
