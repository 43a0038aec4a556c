import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, parse } from "node:path";

/** What stands at every name on the way to some files: the folders above them, and the links that are followed. By path. */
export type PathStamps = ReadonlyMap<string, Stats | undefined>;

const NO_ERROR = { throwIfNoEntry: false } as const;
/** As many as the kernel follows. */
const MOST_LINKS = 40;
const NO_PATHS: PathStamps = new Map();

export function pathStamps(files: readonly string[]): PathStamps {
  if (files.length === 0) return NO_PATHS;
  const stamps = new Map<string, Stats | undefined>();
  for (const file of files) walk(file, stamps);
  return stamps;
}

/**
 * Whether a name on the way stood for something else since then. A folder that is moved away and back keeps its inode and the stamps of
 * the files in it; its own ctime changes, and the mtime of the folder above. A new entry changes ctime and mtime together: a hook, or
 * whatever runs beside it, may make files in both folders. A link that leads elsewhere is another inode, so the way need not be walked again.
 */
export function isMoved(before: PathStamps): boolean {
  for (const [path, then] of before) {
    const now = lstatSync(path, NO_ERROR);
    if (then === undefined && now === undefined) continue;
    if (then === undefined || now === undefined || now.ino !== then.ino || now.dev !== then.dev) return true;
    if (now.ctimeMs === then.ctimeMs) continue;
    if (!now.isDirectory()) return true;
    const above = dirname(path);
    const isAboveSame = before.get(above)?.mtimeMs === lstatSync(above, NO_ERROR)?.mtimeMs;
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
    if (stats?.isFile()) return;
    stamps.set(path, stats);
    if (stats === undefined) return;
    if (!stats.isSymbolicLink()) {
      folder = path;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return;
    const target = readlinkSync(path);
    if (isAbsolute(target)) folder = root;
    names.push(...target.split("/").toReversed());
  }
}
