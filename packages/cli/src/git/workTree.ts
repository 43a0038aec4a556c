import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The top of the git work tree around a folder. Stops at a folder that looks like a bare repository: a clone can
 * contain one as ordinary files, with a configuration written by its author.
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

/** The markers git itself looks for; `HEAD` may also be a dangling link. */
function isBareRepository(folder: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => exists(join(folder, name)));
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // behind a folder that cannot be entered
  }
}
