import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { lookedUpOnce } from "./sameAnswers.ts";

/** `bash` if it exists, otherwise `sh`. */
export function findShell(pathVariable: string | undefined): string {
  return findInPath("bash", pathVariable) ?? findInPath("sh", pathVariable) ?? "/bin/sh";
}

/**
 * The absolute path of the program that a shell would start for a bare name. Skips relative folders in PATH:
 * their meaning depends on where the hook runs.
 */
export function findInPath(word: string, pathVariable: string | undefined): string | null {
  if (word === "" || word.includes("/")) return null;
  return findIn(`${word}/${pathVariable ?? ""}`);
}

const findIn = lookedUpOnce((key) => {
  const end = key.indexOf("/");
  const word = key.slice(0, end);
  for (const folder of key.slice(end + 1).split(":")) {
    const file = join(folder, word);
    if (isAbsolute(folder) && isProgram(file)) return file;
  }
  return null;
});

/** A file, and executable by this user. */
export function isProgram(file: string): boolean {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
