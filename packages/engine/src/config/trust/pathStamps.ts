import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, parse } from "node:path";

/** The stats of every name on the path to some files: the folders above them, and the links that are followed. By path. */
export type PathStamps = ReadonlyMap<string, Stats | undefined>;

const NO_ERROR = { throwIfNoEntry: false } as const;
/** The kernel's limit. */
const MOST_LINKS = 40;
const NO_PATHS: PathStamps = new Map();

/** Undefined if a path cannot be walked to its end: something on it is changing, or loops. */
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
 * Stats the same names again; undefined if one of them was replaced since. A folder that is moved away and back keeps
 * its inode and the stamps of its files; but its own ctime and that of its parent change, and no program can set ctime. A new entry
 * changes ctime and mtime together, which is allowed: a hook, or a program running at the same time, may create files in both folders.
 * A link with another target is another inode, so the path need not be walked again.
 */
export function stampsAgain(before: PathStamps): PathStamps | undefined {
  try {
    return compare(before);
  } catch {
    return undefined;
  }
}

function compare(before: PathStamps): PathStamps | undefined {
  let now = before;
  for (const [path, then] of before) {
    const stats = lstatSync(path, NO_ERROR);
    if (then === undefined && stats === undefined) continue;
    if (then === undefined || stats === undefined || stats.ino !== then.ino || stats.dev !== then.dev) return undefined;
    if (stats.ctimeMs === then.ctimeMs) continue;
    if (!stats.isDirectory()) return undefined;
    const above = dirname(path);
    const isAboveSame = before.get(above)?.ctimeMs === lstatSync(above, NO_ERROR)?.ctimeMs;
    if (!isAboveSame && stats.ctimeMs !== stats.mtimeMs) return undefined;
    now = new Map(now).set(path, stats);
  }
  return now;
}

/** Walks name by name, like the kernel. Leaves out a regular file at the end: it has its own stamp. */
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
    // Nothing can be started from there now; a replacement is noticed later.
    if (!stats?.isSymbolicLink()) return;
    links += 1;
    if (links > MOST_LINKS) throw new Error("too many links");
    const target = readlinkSync(path);
    if (isAbsolute(target)) folder = root;
    names.push(...target.split("/").toReversed());
  }
}
