import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const MOST_LINKS = 40; // as many as Linux follows

/** The path with all links followed, also where the file does not exist yet. Falls back to the path itself, e.g. in a loop of links. */
export function realPathOf(path: string, linksLeft = MOST_LINKS): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "ENOTDIR") return path;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = realPathOf(parent, linksLeft);
  const target = linkTarget(path);
  if (target === undefined || linksLeft === 0) return join(folder, basename(path));
  return realPathOf(resolve(folder, target), linksLeft - 1);
}

/** The target of a dangling link: a write through it creates the file there. */
function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
