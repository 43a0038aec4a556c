import type { StatePlace } from "@hookline/journal";
import { makeStateSubfolder } from "@hookline/journal/program";

const FOLDER = "hooks";

/** The folder for the state of hooks; undefined if no state can be kept, which the journal reports. */
export function hookStateFolder(place: StatePlace): string | undefined {
  try {
    return makeStateSubfolder(place, FOLDER);
  } catch {
    return undefined;
  }
}
