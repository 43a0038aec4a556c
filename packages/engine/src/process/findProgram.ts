import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** `bash` where it exists, else `sh`. */
export function findShell(pathVariable: string | undefined): string {
  return findInPath("bash", pathVariable) ?? findInPath("sh", pathVariable) ?? "/bin/sh";
}

/**
 * The absolute path of the program that a shell would start for a bare name. Relative folders in PATH are passed over:
 * what they mean depends on where the hook runs.
 */
export function findInPath(word: string, pathVariable: string | undefined): string | null {
  if (word === "" || word.includes("/")) return null;
  for (const folder of (pathVariable ?? "").split(":")) {
    const file = join(folder, word);
    if (isAbsolute(folder) && isProgram(file)) return file;
  }
  return null;
}

/** A file, and executable by this user. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
