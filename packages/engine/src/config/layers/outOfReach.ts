import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";

/** Whether this user can neither write nor replace a file: then only an administrator can have changed it. */
export function isOutOfReach(file: string): boolean {
  for (let path = file; ; path = dirname(path)) {
    if (isWritable(path)) return false;
    // Replacing a file needs write access to its folder; for a missing folder, to the one above.
    if (path !== file && exists(path)) return true;
    if (path === dirname(path)) return true;
  }
}

function isWritable(path: string): boolean {
  return isAccessible(path, constants.W_OK);
}

function exists(path: string): boolean {
  return isAccessible(path, constants.F_OK);
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
