import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";

/** Folders with settings. */
export const MARKS: ReadonlySet<string> = new Set([".hookline", ".gemini", ".system"]);

export async function isProject(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.some((entry) => entry.name === ".git" || (entry.isDirectory() && MARKS.has(entry.name)));
}

interface Known {
  /** The root of the open project. */
  readonly root: string;
  /** Settings there are the user's own and do not make it a project. */
  readonly homeDir: string;
}

/** The root of the project that a folder belongs to: `root` or another one; undefined if there is none. */
export async function projectAround(folder: string, { root, homeDir }: Known): Promise<string | undefined> {
  const home = await realpath(homeDir).catch(() => homeDir);
  for (let next = await realpath(folder); ; next = dirname(next)) {
    if (next === root || (next !== home && (await isProject(next)))) return next;
    if (dirname(next) === next) return undefined;
  }
}
