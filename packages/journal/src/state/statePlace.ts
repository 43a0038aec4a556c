import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, join } from "node:path";

/** Determines where the state of a project is kept. */
export interface StatePlace {
  readonly projectRoot: string;
  readonly homeDir: string;
  /** Contains a folder per project; default: `~/.hookline/projects`. */
  readonly stateDir?: string | undefined;
}

const NAME_CHARS = 40;
/** 80 bits: a repository cannot choose a path that collides with another project's folder. */
const HASH_DIGITS = 20;

/**
 * The folder for all state of a project: journal, tasks, transcripts. It belongs to the user, never to the project: a
 * repository can ship files, and must not be able to ship state.
 */
export function statePath(place: StatePlace): string {
  const root = realRoot(place.projectRoot);
  const hash = createHash("sha256").update(root).digest("hex").slice(0, HASH_DIGITS);
  return join(projectsPath(place), `${safeName(root)}-${hash}`);
}

export function projectsPath({ homeDir, stateDir }: Omit<StatePlace, "projectRoot">): string {
  return stateDir ?? join(homeDir, ".hookline", "projects");
}

export function realRoot(projectRoot: string): string {
  try {
    return realpathSync(projectRoot);
  } catch {
    return projectRoot; // the project is gone; its state may still be read
  }
}

/** For people who look into the folder; the hash alone identifies the project. */
function safeName(root: string): string {
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^[.-]+/, "");
  return name.slice(0, NAME_CHARS) || "root";
}
