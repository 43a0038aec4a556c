import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Bounds } from "./bounds.ts";
import { installedPackages } from "./installedPackages.ts";
import { filesBelow, isEnvironment } from "./listFiles.ts";
import { isBelow } from "./relocation.ts";

/** What is copied, and as what. Paths are relative to the root, with slashes. */
export interface CopyPlan {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** `to` is relative to the link's folder, or absolute where it leads to installed packages or out of the project. */
  readonly links: readonly Link[];
  /** Things that belong to the project and are not in the copy. */
  readonly notices: readonly string[];
}

export interface Link {
  readonly path: string;
  readonly to: string;
}

interface SurveyOptions {
  readonly bounds: Bounds;
  /** Links that hooks need, wherever they lead. */
  readonly kept: ReadonlySet<string>;
}

/** What the program itself writes; a copy begins without a past. */
const OWN = /^\.hookline\/(?:(?:journal|tasks)\.db[^/]*|sessions(?:\/.*)?)$/;

/** Gathers what a copy has, path by path. */
export class Survey {
  readonly files: string[] = [];
  bytes = 0;
  readonly #root: string;
  readonly #options: SurveyOptions;
  readonly #seen = new Set<string>();
  readonly #links: Link[] = [];
  readonly #notices: string[] = [];
  /** By path: whether it is a folder of the project itself, not one behind a link. */
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
    if (stats === undefined) return; // removed, and git still has it
    if (stats.isSymbolicLink()) this.#addLink(path);
    else if (stats.isDirectory()) this.#addFolder(path);
    else if (stats.isFile()) {
      this.files.push(path);
      this.bytes += stats.size;
    } else this.#notices.push(`${path} is no regular file; the copy is without it`);
  }

  /** Of what git ignores, only that. */
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
    // To ask is to link it, where it is one of installed packages.
    if (!this.#isOwnFolder(path)) return;
    for (const inner of filesBelow(this.#root, path, this.#options.bounds.maxFiles)) this.add(inner);
  }

  /** A link of the copy must not lead back into the project, whatever way its text takes. */
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
      this.#notices.push(`${path} is a link that leads out of the project; the copy is without it`);
    }
  }

  /** Git may list files of a folder that is a link by now. */
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
    return undefined; // behind a folder that nobody may enter, or that is a file by now
  }
}

/** Where a link leads in the end; where that is nothing, what its text says. */
function realTarget(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(dirname(file), readlinkSync(file));
  }
}
