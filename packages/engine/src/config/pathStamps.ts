import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, parse } from "node:path";

/** What stands at every name on the way to some files: the folders above them, and the links that are followed. By path. */
export type PathStamps = ReadonlyMap<string, Stats | undefined>;

const NO_ERROR = { throwIfNoEntry: false } as const;
/** As many as the kernel follows. */
const MOST_LINKS = 40;
const NO_PATHS: PathStamps = new Map();

/** Undefined where the way cannot be walked to its end: something on it changes meanwhile, or loops. */
export function pathStamps(files: readonly string[]): PathStamps | undefined {
  if (files.length === 0) return NO_PATHS;
  const stamps = new Map<string, Stats | undefined>();
  try {
    for (const file of files) walk(file, stamps);
    return stamps;
  } catch {
    return undefined;
  }
}

/**
 * Whether a name on the way stood for something else since then. A folder that is moved away and back keeps its inode and the stamps of
 * the files in it; its own ctime changes, and that of the folder above, which no program can set. A new entry changes ctime and mtime
 * together: a hook, or whatever runs beside it, may make files in both folders. A link that leads elsewhere is another inode, so the way
 * need not be walked again.
 */
export function isMoved(before: PathStamps): boolean {
  try {
    return isAnyMoved(before);
  } catch {
    return true;
  }
}

function isAnyMoved(before: PathStamps): boolean {
  for (const [path, then] of before) {
    const now = lstatSync(path, NO_ERROR);
    if (then === undefined && now === undefined) continue;
    if (then === undefined || now === undefined || now.ino !== then.ino || now.dev !== then.dev) return true;
    if (now.ctimeMs === then.ctimeMs) continue;
    if (!now.isDirectory()) return true;
    const above = dirname(path);
    const isAboveSame = before.get(above)?.ctimeMs === lstatSync(above, NO_ERROR)?.ctimeMs;
    if (!isAboveSame && now.ctimeMs !== now.mtimeMs) return true;
  }
  return false;
}

/** Name by name, as the kernel goes. A regular file at the end is left out: it has a stamp of its own. */
function walk(file: string, stamps: Map<string, Stats | undefined>): void {
  const { root } = parse(file);
  const names = file.split("/").toReversed();
  let folder = root;
  let links = 0;
  if (!stamps.has(root)) stamps.set(root, lstatSync(root, NO_ERROR));
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === "" || name === ".") continue;
    const path = name === ".." ? dirname(folder) : `${folder === root ? "" : folder}/${name}`;
    const stats = stamps.get(path) ?? lstatSync(path, NO_ERROR);
    if (stats?.isFile() && names.length === 0) return;
    stamps.set(path, stats);
    if (stats?.isDirectory()) {
      folder = path;
      continue;
    }
    // Nothing can be started from there, now; whatever takes its place is noticed later.
    if (!stats?.isSymbolicLink()) return;
    links += 1;
    if (links > MOST_LINKS) throw new Error("too many links");
    const target = readlinkSync(path);
    if (isAbsolute(target)) folder = root;
    names.push(...target.split("/").toReversed());
  }
}
