import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface ProjectRoot {
  readonly root: string;
  /** Folders further out in the same git work tree, nearest first: their declarations are reported, not loaded. */
  readonly outer: readonly string[];
}

const MARKERS = [".hookline", ".gemini", ".system", ".git"];
/** In the home folder, `.hookline` and `.gemini` are the user's settings; they do not make it a project. */
const MARKERS_AT_HOME = [".system", ".git"];

/**
 * The nearest folder, from the working directory upwards, that is marked as a project; otherwise the working directory. Synchronous, like
 * all reading of settings: a start reads about fifty files, and the thread pool is slower than the disk.
 */
export function findProjectRoot(workingDir: string, homeDir: string): ProjectRoot {
  const start = physical(workingDir);
  const home = physical(homeDir);
  const folders = ancestors(start);
  for (const [index, folder] of folders.entries()) {
    const markers = folder === home ? MARKERS_AT_HOME : MARKERS;
    if (hasMarker(folder, markers)) return { root: folder, outer: outerFolders(folders.slice(index)) };
  }
  return { root: start, outer: [] };
}

/** Whether the folder itself is marked as a project. Throws if that cannot be determined: state must not be kept in a project. */
export function isProjectRoot(folder: string, homeDir: string): boolean {
  const markers = folder === resolve(homeDir) ? MARKERS_AT_HOME : MARKERS;
  return markers.some((name) => isMarker(folder, name));
}

/** The real path, or the path itself if it does not exist yet. */
export function physical(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function outerFolders([root, ...further]: readonly string[]): readonly string[] {
  if (root === undefined || hasMarker(root, [".git"])) return [];
  const top = further.findIndex((folder) => hasMarker(folder, [".git"]));
  return further.slice(0, top + 1);
}

/** A name that cannot be examined, such as a link to itself, is not a marker. */
function hasMarker(folder: string, markers: readonly string[]): boolean {
  return markers.some((name) => {
    try {
      return isMarker(folder, name);
    } catch {
      return false;
    }
  });
}

/** `.git` is a file in a linked work tree; the other markers hold settings, so they must be folders. */
function isMarker(folder: string, name: string): boolean {
  const stats = statSync(join(folder, name), { throwIfNoEntry: false });
  return stats !== undefined && (name === ".git" || stats.isDirectory());
}

function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
