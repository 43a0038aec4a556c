import { realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, sep } from "node:path";
import { findInPath } from "@hookline/engine/process";

/**
 * The absolute path of a program that hookline starts for itself. Skips relative folders in PATH, which mean a
 * different program in every project, and folders inside the project (`node_modules/.bin` under npm), whose programs
 * come from the repository.
 */
export function findHelper(name: string, projectRoot: string, path = process.env.PATH): string | undefined {
  for (const folder of safeFolders(projectRoot, path)) {
    const found = findInPath(name, folder);
    if (found !== null && !isInside(realPath(found), realPath(projectRoot))) return found;
  }
  return undefined;
}

/** The safe PATH for such a program, in case it starts others. */
export function helperPath(projectRoot: string, path = process.env.PATH): string {
  return safeFolders(projectRoot, path).join(delimiter);
}

function safeFolders(projectRoot: string, path = ""): readonly string[] {
  const root = realPath(projectRoot);
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(realPath(folder), root));
}

/** A project at the root of the file system contains every program; there the rule would exclude all of them. */
function isInside(path: string, root: string): boolean {
  return dirname(root) !== root && (path === root || path.startsWith(root + sep));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
