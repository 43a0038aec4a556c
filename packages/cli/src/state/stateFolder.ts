import { join } from "node:path";
import { makeOwnFolder, makeUserFolder } from "./ownFolder.ts";
import { recordRoot } from "./rootRecord.ts";
import { projectsPath, type StatePlace, statePath } from "./statePlace.ts";

/** The folder with the state of a project, made if it is missing. Throws where it cannot be used safely. */
export function makeStateFolder(place: StatePlace): string {
  if (place.stateDir === undefined) makeUserFolder(place.homeDir);
  makeOwnFolder(projectsPath(place));
  const folder = makeOwnFolder(statePath(place));
  recordRoot(folder, place.projectRoot);
  return folder;
}

/** A folder inside it. */
export function makeStateSubfolder(place: StatePlace, name: string): string {
  return makeOwnFolder(join(makeStateFolder(place), name));
}
