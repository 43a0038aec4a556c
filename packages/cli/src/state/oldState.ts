import { existsSync, lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StatePlace } from "@hookline/journal";
import { makeStateFolder, statePath } from "@hookline/journal/program";

/**
 * State that the first versions kept in a project's `.hookline`. A repository can ship files with these names: never
 * read them as state.
 */
const NAMES = ["journal.db", "tasks.db", "sessions"];
const NAMED = "old-files-named";
const TAKEN = "old-files-taken";

/** Paths of the old files that exist. */
export function oldStateIn(projectRoot: string): readonly string[] {
  const paths = NAMES.map((name) => join(projectRoot, ".hookline", name));
  return paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** The journal of 0.1, where its records were not copied yet. */
export function oldJournalLeft(place: StatePlace): string | undefined {
  return isTakenOver(place) ? undefined : oldStateIn(place.projectRoot).find((path) => path.endsWith("journal.db"));
}

/** True once per project. */
export function isFirstTimeNamed(place: StatePlace): boolean {
  if (existsSync(join(statePath(place), NAMED))) return false;
  try {
    writeFileSync(join(makeStateFolder(place), NAMED), "", { mode: 0o600 });
  } catch {
    // the notice will be shown again
  }
  return true;
}

export function isTakenOver(place: StatePlace): boolean {
  return existsSync(join(statePath(place), TAKEN));
}

export function setTakenOver(place: StatePlace): void {
  writeFileSync(join(makeStateFolder(place), TAKEN), "", { mode: 0o600 });
}
