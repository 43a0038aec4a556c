import type { StatePlace } from "@hookline/journal";
import { makeStateSubfolder } from "@hookline/journal/program";

const FOLDER = "hooks";

/** The folder for what hooks keep; undefined where no state can be kept, which the journal says. */
export function hookStateFolder(place: StatePlace): string | undefined {
  try {
    return makeStateSubfolder(place, FOLDER);
  } catch {
    return undefined;
  }
}
