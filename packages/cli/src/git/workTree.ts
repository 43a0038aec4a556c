import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The top of the git work tree around a folder. A folder that is itself laid out like a repository stops the search: a clone can carry
 * one as ordinary files, with a configuration that its author wrote.
 */
export function findWorkTree(folder: string): string | undefined {
  try {
    for (let next = realpathSync(folder); ; next = dirname(next)) {
      if (exists(join(next, ".git"))) return next;
      if (isBareRepository(next) || dirname(next) === next) return undefined;
    }
  } catch {
    return undefined; // the folder is gone
  }
}

/** What git itself looks for; a `HEAD` may also be a dangling link. */
function isBareRepository(folder: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => exists(join(folder, name)));
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // behind a folder that may not be entered
  }
}
