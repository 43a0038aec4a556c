import type { LoadedSettings } from "@hookline/engine";
import type { Io } from "../io.ts";
import type { StatePlace } from "./statePlace.ts";

/** What of the world decides where state is kept. */
export type StateIo = Pick<Io, "homeDir" | "stateHomeDir" | "env">;

/** Where the state of the project is whose settings were read. */
export function placeOf({ homeDir, stateHomeDir }: StateIo, { projectRoot }: LoadedSettings): StatePlace {
  return { projectRoot, homeDir: stateHomeDir ?? homeDir };
}
