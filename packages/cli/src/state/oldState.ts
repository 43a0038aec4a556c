import { existsSync, lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeStateFolder } from "./stateFolder.ts";
import { type StatePlace, statePath } from "./statePlace.ts";

/** What the first versions kept in a project's `.hookline`. A repository can ship files of these names: they are never read as state. */
const NAMES = ["journal.db", "tasks.db", "sessions"];
const NAMED = "old-files-named";
const TAKEN = "old-files-taken";

/** The old files that are there, by path. */
export function oldStateIn(projectRoot: string): readonly string[] {
  const paths = NAMES.map((name) => join(projectRoot, ".hookline", name));
  return paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** What a person is told about them, the first time that a session meets them. */
export function oldStateNotice(place: StatePlace): string | undefined {
  const files = oldStateIn(place.projectRoot);
  if (files.length === 0 || [NAMED, TAKEN].some((mark) => existsSync(join(statePath(place), mark)))) return undefined;
  try {
    writeFileSync(join(makeStateFolder(place), NAMED), "", { mode: 0o600 });
  } catch {
    // then it is said again
  }
  return `${files.join(", ")}: not read, since state is kept in your home folder now. \`hookline doctor --fix\` takes over what is yours.`;
}

export function isTakenOver(place: StatePlace): boolean {
  return existsSync(join(statePath(place), TAKEN));
}

export function setTakenOver(place: StatePlace): void {
  writeFileSync(join(makeStateFolder(place), TAKEN), "", { mode: 0o600 });
}
