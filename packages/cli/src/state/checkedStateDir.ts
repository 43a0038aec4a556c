import { existsSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { HooklineError } from "@hookline/engine";
import { errorText, isProjectRoot } from "@hookline/engine/program";
import { makeOwnFolder, readOwnFile } from "@hookline/journal/program";
import { isSignature, signature } from "./userKey.ts";

const MARKER = ".hookline-state";
const PURPOSE = "state folder";
const MOST_BYTES = 1_024;

/**
 * Checks the folder named by HOOKLINE_STATE_DIR. Whatever starts us can set the variable, so the folder must be ours:
 * outside every project, and empty or marked with the user's key. Throws OPTION_INVALID.
 */
export function checkedStateDir(given: string, homeDir: string): string {
  if (!isAbsolute(given)) throw refused(given, "is not an absolute path");
  try {
    makeOwnFolder(given);
  } catch (cause) {
    throw refused(given, `cannot be used: ${errorText(cause)}`, cause);
  }
  const real = realpathSync(given);
  const project = foldersAround(real).find((folder) => isProjectRoot(folder, homeDir));
  if (project !== undefined) throw refused(given, `is inside the project ${project}, which could ship its contents`);
  mark(real, given, homeDir);
  return real;
}

function mark(real: string, given: string, homeDir: string): void {
  const marker = join(real, MARKER);
  const expected = signature(homeDir, PURPOSE, real);
  if (readdirSync(real).length === 0) writeFileSync(marker, expected, { mode: 0o600, flag: "wx" });
  const found = existsSync(marker) ? readOwnFile(marker, MOST_BYTES) : "";
  if (!isSignature(found, expected)) throw refused(given, "is neither empty nor marked as your state folder");
}

function foldersAround(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAround(parent)];
}

function refused(given: string, why: string, cause?: unknown): HooklineError {
  return new HooklineError({
    code: "OPTION_INVALID",
    what: `HOOKLINE_STATE_DIR ${JSON.stringify(given)} ${why}.`,
    next: "Name an empty folder outside every project, or unset the variable.",
    cause,
  });
}
