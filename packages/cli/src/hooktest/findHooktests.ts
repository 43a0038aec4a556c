import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { HooklineError } from "@hookline/engine";

export interface FoundHooktests {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** Folders that are projects of their own: their tests are about their hooks. Only those that have tests. */
  readonly otherProjects: readonly string[];
}

const ENDING = ".hooktest.yaml";
const MARKS: ReadonlySet<string> = new Set([".hookline", ".gemini", ".system"]);

/** What a person named, files as they are and folders with all that is in them; without a name, the whole project. */
export async function findHooktests(paths: readonly string[], cwd: string, root: string): Promise<FoundHooktests> {
  const search = new Search();
  for (const path of paths.length === 0 ? [root] : paths.map((one) => resolve(cwd, one))) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) {
      const next = "Correct the path, or leave it out to run every test of the project.";
      throw new HooklineError({ code: "FILE_UNUSABLE", where: { file: path }, what: "There is no such file.", next });
    }
    if (stats.isDirectory()) await search.enter(path, undefined);
    else search.files.add(path);
  }
  return { files: [...search.files].sort(), otherProjects: [...search.otherProjects].sort() };
}

class Search {
  readonly files = new Set<string>();
  readonly otherProjects = new Set<string>();

  /** Links are not followed: they can lead out of the project, or in circles. */
  async enter(folder: string, otherProject: string | undefined): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile() && entry.name.endsWith(ENDING)) {
        if (otherProject === undefined) this.files.add(path);
        else this.otherProjects.add(otherProject);
      }
      if (entry.isDirectory() && isSearched(entry.name)) {
        await this.enter(path, otherProject ?? ((await isProject(path)) ? path : undefined));
      }
    }
  }
}

function isSearched(name: string): boolean {
  return name !== "node_modules" && (!name.startsWith(".") || MARKS.has(name));
}

async function isProject(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.some((entry) => entry.name === ".git" || (entry.isDirectory() && MARKS.has(entry.name)));
}
