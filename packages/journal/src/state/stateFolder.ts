import { join, sep } from "node:path";
import { makeOwnFolder, makeUserFolder, UnusablePath } from "./ownFolder.ts";
import { recordRoot } from "./rootRecord.ts";
import { projectsPath, realRoot, type StatePlace, statePath } from "./statePlace.ts";

/** Creates the state folder of a project if missing. Throws if it cannot be used safely. */
export function makeStateFolder(place: StatePlace): string {
  if (place.stateDir === undefined) makeUserFolder(place.homeDir);
  else refuseInside(place.stateDir, place.projectRoot);
  makeOwnFolder(projectsPath(place));
  const folder = makeOwnFolder(statePath(place));
  recordRoot(folder, place.projectRoot);
  return folder;
}

/** A project could ship files in it. */
function refuseInside(stateDir: string, projectRoot: string): void {
  const root = realRoot(projectRoot);
  const real = realRoot(stateDir);
  if (real !== root && !real.startsWith(root + sep)) return;
  throw new UnusablePath(
    stateDir,
    "the state folder is inside the project",
    "Set hooksConfig.stateDir to another folder.",
  );
}

/** Creates a subfolder of the state folder. */
export function makeStateSubfolder(place: StatePlace, name: string): string {
  return makeOwnFolder(join(makeStateFolder(place), name));
}
