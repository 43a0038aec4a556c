import { join, sep } from "node:path";
import { makeOwnFolder, makeUserFolder, UnusablePath } from "./ownFolder.ts";
import { recordRoot } from "./rootRecord.ts";
import { projectsPath, realRoot, type StatePlace, statePath } from "./statePlace.ts";

/** The folder with the state of a project, made if it is missing. Throws where it cannot be used safely. */
export function makeStateFolder(place: StatePlace): string {
  if (place.stateDir === undefined) makeUserFolder(place.homeDir);
  else refuseInside(place.stateDir, place.projectRoot);
  makeOwnFolder(projectsPath(place));
  const folder = makeOwnFolder(statePath(place));
  recordRoot(folder, place.projectRoot);
  return folder;
}

/** A project could ship what lies in it. */
function refuseInside(stateDir: string, projectRoot: string): void {
  const root = realRoot(projectRoot);
  const real = realRoot(stateDir);
  if (real !== root && !real.startsWith(root + sep)) return;
  throw new UnusablePath(
    stateDir,
    "the folder for state lies inside the project",
    "Set hooksConfig.stateDir to another.",
  );
}

/** A folder inside it. */
export function makeStateSubfolder(place: StatePlace, name: string): string {
  return makeOwnFolder(join(makeStateFolder(place), name));
}
