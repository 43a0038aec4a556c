import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";
import { isProject, MARKS, projectAround } from "./projectMarks.ts";

export interface FoundHooktests {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** Folders with tests that are separate projects: their tests are about their own hooks. */
  readonly otherProjects: readonly string[];
}

const ENDING = ".hooktest.yaml";

interface Whereabouts {
  readonly cwd: string;
  readonly root: string;
  readonly homeDir: string;
}

/** Finds the tests in the files and folders that the user named, or in the whole project. */
export async function findHooktests(
  paths: readonly string[],
  { cwd, root, homeDir }: Whereabouts,
): Promise<FoundHooktests> {
  const search = new Search();
  for (const path of paths.length === 0 ? [root] : paths.map((one) => resolve(cwd, one))) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) {
      const next = "Correct the path, or leave it out to run every test of the project.";
      throw new ProgramError({ code: "FILE_UNUSABLE", where: { file: path }, what: "There is no such file.", next });
    }
    const project = await projectAround(stats.isDirectory() ? path : dirname(path), { root, homeDir });
    if (project !== root) throw foreign(path, project);
    if (stats.isDirectory()) await search.enter(path, undefined);
    else search.files.add(path);
  }
  return { files: [...search.files].sort(), otherProjects: [...search.otherProjects].sort() };
}

/** Refuses tests of another project: they are about its hooks, not about those of this project. */
function foreign(path: string, project: string | undefined): HooklineError {
  const what =
    project === undefined ? "This is not in a project." : `This belongs to ${project}; run \`hookline test\` there.`;
  const next = "Name files and folders of this project, or leave the path out to run every test of it.";
  return new ProgramError({ code: "FILE_UNUSABLE", where: { file: path }, what, next });
}

class Search {
  readonly files = new Set<string>();
  readonly otherProjects = new Set<string>();

  /** Does not follow links: they can lead out of the project, or in circles. */
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
