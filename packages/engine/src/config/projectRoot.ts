import { statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export interface ProjectRoot {
  readonly root: string;
  /** Folders further out in the same git work tree, nearest first: what they declare is not loaded, and said. */
  readonly outer: readonly string[];
}

const MARKERS = [".hookline", ".gemini", ".system", ".git"];
/** The home folder has `.hookline` and `.gemini` as the user's own; they do not make it a project. */
const MARKERS_AT_HOME = [".system", ".git"];

/** The nearest folder, from the working directory outwards, that is marked as a project; else the working directory. */
export async function findProjectRoot(workingDir: string, homeDir: string): Promise<ProjectRoot> {
  const start = await physical(workingDir);
  const home = await physical(homeDir);
  const folders = ancestors(start);
  for (const [index, folder] of folders.entries()) {
    const markers = folder === home ? MARKERS_AT_HOME : MARKERS;
    const found = await Promise.all(markers.map((name) => isMarker(folder, name)));
    if (found.includes(true)) return { root: folder, outer: await outerFolders(folders.slice(index)) };
  }
  return { root: start, outer: [] };
}

/** Whether something in the folder itself marks it as a project. */
export function isProjectRoot(folder: string, homeDir: string): boolean {
  const markers = folder === resolve(homeDir) ? MARKERS_AT_HOME : MARKERS;
  return markers.some((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats !== undefined && (name === ".git" || stats.isDirectory());
  });
}

/** The path without links, or the path itself where there is nothing yet. */
export async function physical(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path));
}

async function outerFolders([root, ...further]: readonly string[]): Promise<readonly string[]> {
  if (root === undefined || (await isMarker(root, ".git"))) return [];
  for (const [index, folder] of further.entries()) {
    if (await isMarker(folder, ".git")) return further.slice(0, index + 1);
  }
  return [];
}

/** `.git` is a file in a linked work tree; the others hold settings, so they are folders. */
async function isMarker(folder: string, name: string): Promise<boolean> {
  const stats = await stat(join(folder, name)).catch(() => undefined);
  return stats !== undefined && (name === ".git" || stats.isDirectory());
}

function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
