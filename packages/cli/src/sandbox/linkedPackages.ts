import { readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { CACHES, entriesOf, type PackageEntries } from "./packageEntries.ts";
import type { Link } from "./survey.ts";

/**
 * A `node_modules` whose packages are links to the project's. The folder itself is real: through a link, a hook would
 * write caches and new packages into the project.
 */
export function linkedPackages(root: string, path: string): PackageEntries {
  const found: PackageEntries[] = entriesOf(join(root, path)).map((entry) => {
    const inner = `${path}/${entry.name}`;
    if (CACHES.has(entry.name)) return { folders: [inner], files: [], links: [] };
    if (entry.isFile()) return { folders: [], files: [inner], links: [] };
    // A scope is a folder of packages. The links in `.bin` point to packages next to it.
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

function linksIn(root: string, folder: string): PackageEntries {
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
    return []; // a dangling link
  }
}
