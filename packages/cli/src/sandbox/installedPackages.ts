import { type Dirent, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Link } from "./survey.ts";

/** Where tools write beside the packages; a copy begins with none of it. */
const CACHES: ReadonlySet<string> = new Set([".cache", ".vite", ".vite-temp", ".vitest", ".tmp"]);

export interface InstalledPackages {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly Link[];
}

/**
 * What stands for the `node_modules` of a folder: packages are large and only read, so each is a link. The folder itself is a real one:
 * through a link to it, a cache or a package that a hook puts there would be put into the project.
 */
export function installedPackages(root: string, folder: string): InstalledPackages {
  const path = folder === "" ? "node_modules" : `${folder}/node_modules`;
  const found: InstalledPackages[] = entriesOf(join(root, path)).map((entry) => {
    const inner = `${path}/${entry.name}`;
    if (CACHES.has(entry.name)) return { folders: [inner], files: [], links: [] };
    if (entry.isFile()) return { folders: [], files: [inner], links: [] };
    // A scope is a folder of packages. The links in `.bin` lead to packages beside it.
    const isFolder = entry.isDirectory() && (entry.name.startsWith("@") || entry.name === ".bin");
    return isFolder ? linksIn(root, inner) : { folders: [], files: [], links: linkTo(root, inner) };
  });
  if (found.length === 0) return { folders: [], files: [], links: [] };
  return {
    folders: [path, ...found.flatMap((one) => one.folders)],
    files: found.flatMap((one) => one.files),
    links: found.flatMap((one) => one.links),
  };
}

function linksIn(root: string, folder: string): InstalledPackages {
  const links = entriesOf(join(root, folder)).flatMap((entry): readonly Link[] => {
    const path = `${folder}/${entry.name}`;
    if (!folder.endsWith("/.bin") || !entry.isSymbolicLink()) return linkTo(root, path);
    const to = readlinkSync(join(root, path));
    return to.startsWith("../") && !to.startsWith("../../") ? [{ path, to }] : linkTo(root, path);
  });
  return { folders: [folder], files: [], links };
}

function linkTo(root: string, path: string): readonly Link[] {
  try {
    return [{ path, to: realpathSync(join(root, path)) }];
  } catch {
    return []; // a link that leads nowhere
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // nothing is installed
  }
}
