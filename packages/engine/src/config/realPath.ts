import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const MOST_LINKS = 40; // as many as Linux follows
const NO_ERROR = { throwIfNoEntry: false } as const;

/**
 * The path with all links followed, also where the file does not exist yet. Falls back to the path itself, e.g. in a loop of links.
 * Callers that ask about many paths at one moment share what was `known` of their folders.
 */
export function realPathOf(path: string, known = new Map<string, string>(), linksLeft = MOST_LINKS): string {
  const before = known.get(path);
  if (before !== undefined) return before;
  const real = followed(path, known, linksLeft);
  known.set(path, real);
  return real;
}

function followed(path: string, known: Map<string, string>, linksLeft: number): string {
  try {
    // Most protected paths do not exist, and an error costs more than a look.
    if (lstatSync(path, NO_ERROR) !== undefined) return realpathSync.native(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "ENOTDIR") return path;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = realPathOf(parent, known, linksLeft);
  const target = linkTarget(path);
  if (target === undefined || linksLeft === 0) return join(folder, basename(path));
  return realPathOf(resolve(folder, target), known, linksLeft - 1);
}

/** The target of a dangling link: a write through it creates the file there. */
function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, NO_ERROR)?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
