import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Machine } from "../support/machine.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const COOKBOOK = join(ROOT, "examples/cookbook");

export const PAGE = readFileSync(join(ROOT, "docs/cookbook.md"), "utf8");

/** The folders of the cookbook, by name, sorted. */
export const RECIPES: readonly string[] = readdirSync(COOKBOOK, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** The files of a recipe by their path in it. What hooks write when somebody tries a recipe where it is does not count. */
export function filesOf(recipe: string): ReadonlyMap<string, string> {
  const folder = folderOf(recipe);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).filter(isPart);
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Where a recipe stands in the repository. */
export const folderOf = (recipe: string): string => join(COOKBOOK, recipe);

/** A project that has nothing but a copy of the recipe. */
export function machineWith(recipe: string): Machine {
  const machine = new Machine();
  rmSync(join(machine.project, ".git"), { recursive: true });
  const folder = folderOf(recipe);
  cpSync(folder, machine.project, { recursive: true, filter: (file) => isPart(relative(folder, file)) });
  return machine;
}

/** A row of the page: what a recipe is called, and the folder that it links to. */
export interface Row {
  readonly title: string;
  readonly folder: string;
}

export function rows(): readonly Row[] {
  const links = PAGE.matchAll(/^\| \[([^\]]+)\]\(\.\.\/examples\/cookbook\/([\w-]+)\/README\.md\) /gm);
  return [...links].map(([, title = "", folder = ""]) => ({ title, folder }));
}

function isPart(path: string): boolean {
  return !/(^|\/)(__pycache__|node_modules)(\/|$)|^\.hookline\/((state|log)\/(?!\.gitignore$)|sessions|journal|\.gitignore$)/.test(
    path,
  );
}
