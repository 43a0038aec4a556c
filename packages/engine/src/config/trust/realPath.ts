import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";

const MOST_LINKS = 40; // the limit of Linux
const NO_ERROR = { throwIfNoEntry: false } as const;

/** A cache of paths, valid for one moment. */
export class KnownPaths {
  readonly real = new Map<string, string>();
  /** Real paths of files that do not exist. */
  readonly missing = new Set<string>();
}

/**
 * The path with all links followed, even if the file does not exist yet. Falls back to the path itself, e.g. in a loop of links.
 * Callers that resolve many paths at one moment share a cache in `known`.
 */
export function realPathOf(path: string, known = new KnownPaths(), linksLeft = MOST_LINKS): string {
  const before = known.real.get(path);
  if (before !== undefined) return before;
  const real = followed(path, known, linksLeft);
  known.real.set(path, real);
  return real;
}

/**
 * The same with one `lstat` per folder instead of one per folder and path, for many paths at once. Names keep the case they were given
 * in, even if the file system ignores case: compare them folded.
 */
export function linkFreePath(path: string, known: KnownPaths, linksLeft = MOST_LINKS): string {
  const before = known.real.get(path);
  if (before !== undefined) return before;
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = linkFreePath(parent, known, linksLeft);
  const place = join(folder, basename(path));
  // Except for "..": the folder above a missing folder may exist.
  const kind = known.missing.has(folder) && dirname(place) === folder ? "missing" : kindOf(place);
  if (kind === "missing") known.missing.add(place);
  const target = linksLeft > 0 && kind === "link" ? linkTarget(place) : undefined;
  const real = target === undefined ? place : linkFreePath(targetIn(folder, target), known, linksLeft - 1);
  known.real.set(path, real);
  return real;
}

function kindOf(path: string): "link" | "other" | "missing" {
  try {
    const stats = lstatSync(path, NO_ERROR);
    if (stats === undefined) return "missing";
    return stats.isSymbolicLink() ? "link" : "other";
  } catch {
    return "other"; // no access
  }
}

function followed(path: string, known: KnownPaths, linksLeft: number): string {
  let isDangling = false;
  try {
    // Most protected paths do not exist, and throwing costs more than the stat.
    const stats = lstatSync(path, NO_ERROR);
    isDangling = stats?.isSymbolicLink() === true;
    if (stats !== undefined) return existing(path, known);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "ENOTDIR") return path;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = realPathOf(parent, known, linksLeft);
  const target = isDangling ? linkTarget(path) : undefined;
  if (target === undefined || linksLeft === 0) return join(folder, basename(path));
  return realPathOf(targetIn(folder, target), known, linksLeft - 1);
}

/** If the real path equals the path, it contains no link, so the same holds for its parent folders. */
function existing(path: string, known: KnownPaths): string {
  const real = realpathSync.native(path);
  if (real !== path) return real;
  for (let folder = dirname(path); !known.real.has(folder); folder = dirname(folder)) known.real.set(folder, folder);
  return real;
}

/** Keeps "..", which applies after the links before it are followed. */
function targetIn(folder: string, target: string): string {
  return isAbsolute(target) ? target : `${folder}/${target}`;
}

/** The target of a dangling link: a write through it creates the file there. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // deleted, or no longer a link
  }
}
