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
  /** Of the project that is open. */
  readonly root: string;
  /** What is marked there is the person's own, and makes it no project. */
  readonly homeDir: string;
}

/** Whose tests are in a folder: `root` if they are of that project, else the project they are of; undefined where that is none. */
export async function projectAround(folder: string, { root, homeDir }: Known): Promise<string | undefined> {
  const home = await realpath(homeDir).catch(() => homeDir);
  for (let next = await realpath(folder); ; next = dirname(next)) {
    if (next === root || (next !== home && (await isProject(next)))) return next;
    if (dirname(next) === next) return undefined;
  }
}
