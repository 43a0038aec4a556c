import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isProjectRoot, type LoadedSettings } from "@hookline/engine/program";
import { type StatePlace, statePath } from "./statePlace.ts";

/** The parts of Io that decide where state is kept. */
export interface StateIo {
  readonly homeDir: string;
  /** Whose state is used, where that is not the home of the settings. */
  readonly stateHomeDir?: string;
  /** Default: as the user's settings say, else `~/.hookline/projects`. */
  readonly stateDir?: string;
}

/** The state place of the project whose settings were loaded. */
export function placeOf(io: StateIo, { projectRoot, optionsWithoutProject }: LoadedSettings): StatePlace {
  const stateDir = io.stateDir ?? optionsWithoutProject.stateDir;
  const home = { homeDir: io.stateHomeDir ?? io.homeDir, ...(stateDir === undefined ? {} : { stateDir }) };
  const placeAt = (root: string): StatePlace => ({ projectRoot: root, ...home });
  if (isProjectRoot(projectRoot, io.homeDir)) return placeAt(projectRoot);
  // Nothing marks this folder as a project: use the nearest parent that has state.
  return ancestors(projectRoot).map(placeAt).find(hasState) ?? placeAt(projectRoot);
}

/** The state place of a project that the user names, even if its folder is gone. */
export function placeNamed(io: StateIo & { readonly cwd: string }, path: string, loaded: LoadedSettings): StatePlace {
  const exact = { ...placeOf(io, loaded), projectRoot: resolve(io.cwd, path) };
  return hasState(exact) ? exact : placeOf(io, loaded);
}

function hasState(place: StatePlace): boolean {
  return existsSync(statePath(place));
}

function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
