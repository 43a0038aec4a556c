import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Bounds, sizeText } from "./bounds.ts";
import { linkedPackages } from "./linkedPackages.ts";
import { nameFew } from "./nameFew.ts";
import { PackageCopy } from "./packageCopy.ts";
import type { PackageEntries } from "./packageEntries.ts";
import { isBelow } from "./relocation.ts";

interface InstalledPackages extends PackageEntries {
  readonly notices: readonly string[];
}

interface PackageSearch {
  readonly root: string;
  /** Folders of the project that may have a `node_modules`. */
  readonly folders: readonly string[];
  /** Whether a path is already in the copy, or left out of it on purpose. */
  readonly isKnown: (path: string) => boolean;
}

/**
 * The copy's entries for every `node_modules` of a project. Either all packages are copied or all are linked: a linked
 * package would load the project's instance of a package that the copy also has.
 */
export function installedPackages({ root, folders, isKnown }: PackageSearch, bounds: Bounds): InstalledPackages {
  const paths = folders
    .map((folder) => (folder === "" ? "node_modules" : `${folder}/node_modules`))
    .filter((path) => existsSync(join(root, path)));
  const outside = paths.filter((path) => !isBelow(realpathSync(join(root, path)), root));
  const inside = paths.filter((path) => !outside.includes(path));
  const elsewhere = linked(root, outside, "are outside the project");
  const copy = new PackageCopy(root, { isKnown, bounds });
  const own = copy.add(inside)
    ? { ...copy.entries(), notices: copy.notices() }
    : linked(root, inside, `are more than ${bounds.maxPackageFiles} files or ${sizeText(bounds.maxPackageBytes)}`);
  return {
    folders: [...own.folders, ...elsewhere.folders],
    files: [...own.files, ...elsewhere.files],
    links: [...own.links, ...elsewhere.links],
    notices: [...own.notices, ...elsewhere.notices],
  };
}

function linked(root: string, paths: readonly string[], why: string): InstalledPackages {
  const found = paths.map((path) => linkedPackages(root, path));
  const notice = `the packages in ${nameFew(paths)} ${why}: the copy links to them, and a hook that writes into a package changes the original`;
  return {
    folders: found.flatMap(({ folders }) => folders),
    files: found.flatMap(({ files }) => files),
    links: found.flatMap(({ links }) => links),
    notices: paths.length === 0 ? [] : [notice],
  };
}
