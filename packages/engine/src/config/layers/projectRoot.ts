import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface ProjectRoot {
  readonly root: string;
  /** Folders further out in the same git work tree, nearest first: what they declare is not loaded, and said. */
  readonly outer: readonly string[];
}

const MARKERS = [".hookline", ".gemini", ".system", ".git"];
/** The home folder has `.hookline` and `.gemini` as the user's own; they do not make it a project. */
const MARKERS_AT_HOME = [".system", ".git"];

/**
 * The nearest folder, from the working directory outwards, that is marked as a project; else the working directory. Synchronous, as all
 * reading of settings: a start of the program asks for some fifty files, and a thread's answer takes longer than the disk's.
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

/** Whether something in the folder itself marks it as a project. Throws where that cannot be told: state must not be kept in a project. */
export function isProjectRoot(folder: string, homeDir: string): boolean {
  const markers = folder === resolve(homeDir) ? MARKERS_AT_HOME : MARKERS;
  return markers.some((name) => isMarker(folder, name));
}

/** The path without links, or the path itself where there is nothing yet. */
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

/** What cannot be looked at, such as a link to itself, marks nothing. */
function hasMarker(folder: string, markers: readonly string[]): boolean {
  return markers.some((name) => {
    try {
      return isMarker(folder, name);
    } catch {
      return false;
    }
  });
}

/** `.git` is a file in a linked work tree; the others hold settings, so they are folders. */
function isMarker(folder: string, name: string): boolean {
  const stats = statSync(join(folder, name), { throwIfNoEntry: false });
  return stats !== undefined && (name === ".git" || stats.isDirectory());
}

function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
