import type { LoadedSettings } from "@hookline/engine/program";
import type { StatePlace } from "@hookline/journal";
import type { Io } from "../terminal/io.ts";
import type { ProjectTrust } from "./projectTrust.ts";

/** The context of every check. */
export interface DoctorContext {
  readonly io: Io;
  readonly loaded: LoadedSettings;
  readonly place: StatePlace;
  readonly trust: ProjectTrust;
  /** Milliseconds since 1970. */
  readonly now: number;
}
