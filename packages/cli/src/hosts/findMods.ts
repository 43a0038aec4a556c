import { type Dirent, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { hostText } from "./hostFile.ts";
import { looseJson } from "./looseJson.ts";

/** From the folder of all plugins to one: a cache, a marketplace, a name and a version lie between. */
const MOST_LEVELS = 5;
const MOST_FOLDERS = 5_000;
/** Copies of marketplaces also hold plugins that are not installed. */
const PASSED_OVER: ReadonlySet<string> = new Set(["marketplaces", "node_modules", ".git"]);

/** The folders of plugins that run code in the host: their `hooks/hooks.json` has `modules`. */
export function findMods(pluginFolder: string): readonly string[] {
  const folders: string[] = [];
  const look = (folder: string, levels: number): void => {
    folders.push(folder);
    for (const entry of levels === 0 ? [] : entriesOf(folder)) {
      const mayHold = entry.isDirectory() || entry.isSymbolicLink();
      const isWanted = mayHold && !PASSED_OVER.has(entry.name) && folders.length < MOST_FOLDERS;
      if (isWanted) look(join(folder, entry.name), levels - 1);
    }
  };
  look(pluginFolder, MOST_LEVELS);
  return [...new Set([...folders, ...installPaths(pluginFolder)])].filter(hasModules);
}

function hasModules(plugin: string): boolean {
  const text = hostText(join(plugin, "hooks/hooks.json"));
  if (text === undefined) return false;
  const { modules }: { readonly modules?: unknown } = Object(looseJson(text));
  return Array.isArray(modules) && modules.length > 0;
}

/** Plugins may be installed anywhere; the host keeps a list. */
function installPaths(pluginFolder: string): readonly string[] {
  const paths: string[] = [];
  try {
    JSON.parse(hostText(join(pluginFolder, "installed_plugins.json")) ?? "null", (key, value) => {
      if (key === "installPath" && typeof value === "string" && isAbsolute(value)) paths.push(value);
    });
  } catch {
    // what is not JSON lists nothing
  }
  return paths;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or no folder
  }
}
