import { makeStateSubfolder } from "./stateFolder.ts";
import type { StatePlace } from "./statePlace.ts";

const FOLDER = "hooks";

/** The folder for what hooks keep; undefined where no state can be kept, which the journal says. */
export function hookStateFolder(place: StatePlace): string | undefined {
  try {
    return makeStateSubfolder(place, FOLDER);
  } catch {
    return undefined;
  }
}
