import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Bounds } from "./bounds.ts";
import { installedPackages } from "./installedPackages.ts";
import { filesBelow, isEnvironment } from "./listFiles.ts";
import { isBelow } from "./relocation.ts";

/** The files, folders and links of a copy. Paths are relative to the root, with slashes. */
export interface CopyPlan {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** `to` is relative to the link's folder, or absolute if it points to installed packages or outside the project. */
  readonly links: readonly Link[];
  /** Names what belongs to the project but is not in the copy. */
  readonly notices: readonly string[];
}

export interface Link {
  readonly path: string;
  readonly to: string;
}

interface SurveyOptions {
  readonly bounds: Bounds;
  /** Links that hooks need, even if they point outside the project. */
  readonly kept: ReadonlySet<string>;
}

/** Files that hookline itself writes; a copy starts without history. */
const OWN = /^\.hookline\/(?:(?:journal|tasks)\.db[^/]*|sessions(?:\/.*)?)$/;

/** Collects the contents of a copy, path by path. */
export class Survey {
  readonly files: string[] = [];
  bytes = 0;
  readonly #root: string;
  readonly #options: SurveyOptions;
  readonly #seen = new Set<string>();
  readonly #links: Link[] = [];
  readonly #notices: string[] = [];
  /** Whether a path is a real folder of the project, not one behind a link. */
  readonly #folders = new Map<string, boolean>([["", true]]);

  constructor(root: string, options: SurveyOptions) {
    this.#root = root;
    this.#options = options;
  }

  add(path: string): void {
    if (OWN.test(path) || path.split("/").some((name) => name === "node_modules" || name === ".git")) return;
    if (this.#seen.has(path) || !this.#isOwnFolder(folderOf(path))) return;
    this.#seen.add(path);
    const stats = statsOf(join(this.#root, path));
    if (stats === undefined) return; // deleted, but git still lists it
    if (stats.isSymbolicLink()) this.#addLink(path);
    else if (stats.isDirectory()) this.#addFolder(path);
    else if (stats.isFile()) {
      this.files.push(path);
      this.bytes += stats.size;
    } else this.#notices.push(`${path} is not a regular file; the copy does not have it`);
  }

  /** Adds a git-ignored path only if it is a Python environment. */
  addEnvironment(path: string): void {
    if (isEnvironment(join(this.#root, path))) this.add(path);
  }

  plan(): CopyPlan {
    const folders = [...this.#folders].flatMap(([path, isOwn]) => (isOwn ? [path] : []));
    const search = { root: this.#root, folders, isKnown: (path: string) => this.#seen.has(path) };
    const packages = installedPackages(search, this.#options.bounds);
    const copied = new Set([...packages.folders, ...packages.files]);
    const ownLinks = this.#links.map(({ path, to }) => {
      const isCopied = isAbsolute(to) && copied.has(relative(this.#root, to));
      return { path, to: isCopied ? relative(dirname(join(this.#root, path)), to) : to };
    });
    return {
      folders: [...folders, ...packages.folders],
      files: [...this.files, ...packages.files],
      links: [...ownLinks, ...packages.links],
      notices: [...this.#notices, ...packages.notices],
    };
  }

  #addFolder(path: string): void {
    // `#isOwnFolder` adds a Python environment as a link.
    if (!this.#isOwnFolder(path)) return;
    for (const inner of filesBelow(this.#root, path, this.#options.bounds.maxFiles)) this.add(inner);
  }

  /** A link in the copy must not lead back into the project, not even through other links. */
  #addLink(path: string): void {
    const file = join(this.#root, path);
    const target = realTarget(file);
    const inside = relative(this.#root, target);
    const isPackage = inside.split(sep).includes("node_modules");
    if (!inside.startsWith("..") && !isAbsolute(inside)) {
      this.#links.push({ path, to: isPackage ? target : relative(dirname(file), target) || "." });
    } else if ((this.#options.kept.has(path) || isEnvironment(file)) && !isBelow(this.#root, target)) {
      this.#links.push({ path, to: target });
    } else {
      this.#notices.push(`${path} is a link to a target outside the project; the copy does not have it`);
    }
  }

  /** Git may list files of a folder that has been replaced by a link. */
  #isOwnFolder(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const path = join(this.#root, folder);
    const isFolder = this.#isOwnFolder(folderOf(folder)) && statsOf(path)?.isDirectory() === true;
    const isLinked = isFolder && isEnvironment(path);
    if (isLinked) this.#links.push({ path: folder, to: path });
    this.#folders.set(folder, isFolder && !isLinked);
    return isFolder && !isLinked;
  }
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // behind a folder that cannot be entered, or that is a file by now
  }
}

/** The final target of a link; for a dangling link, the path in its text. */
function realTarget(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(dirname(file), readlinkSync(file));
  }
}
