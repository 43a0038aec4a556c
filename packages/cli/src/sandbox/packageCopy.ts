import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { Bounds } from "./bounds.ts";
import { isEnvironment } from "./listFiles.ts";
import { nameFew } from "./nameFew.ts";
import { CACHES, entriesOf, type PackageEntries } from "./packageEntries.ts";
import type { Link } from "./survey.ts";

interface CopyRules {
  /** Whether a path is already in the copy, or left out of it on purpose. */
  readonly isKnown: (path: string) => boolean;
  readonly bounds: Bounds;
}

/** `node_modules/left`, `node_modules/@scope/right`, `node_modules/.bin/tool`. */
const PACKAGE = /(?:^|\/)node_modules\/(?:(?:@[^/]+|\.bin)\/)?[^/]+$/;

/**
 * Copies a project's packages as files, so that a hook's writes into them stay in the copy. A link to a target in the
 * project (a workspace package, the pnpm store) points to the copied target, which is copied even if git ignores it.
 */
export class PackageCopy {
  readonly #root: string;
  readonly #rules: CopyRules;
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();
  readonly #links = new Map<string, Link>();
  /** Packages outside the project: they may depend on files around them, so they stay links. */
  readonly #outside: string[] = [];
  readonly #leftOut: string[] = [];
  #bytes = 0;

  constructor(root: string, rules: CopyRules) {
    this.#root = root;
    this.#rules = rules;
  }

  /** Adds whole folders and the targets of all links in them. Returns false above the bounds. */
  add(folders: readonly string[]): boolean {
    const { maxPackageFiles, maxPackageBytes } = this.#rules.bounds;
    const open = [...folders];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      open.push(...this.#addPath(next));
      // Packages normally have fewer folders than files; without this count, a tree of empty folders could grow without
      // limit.
      const entries = Math.max(this.#files.size + this.#links.size, this.#folders.size);
      if (entries > maxPackageFiles || this.#bytes > maxPackageBytes) return false;
    }
    return true;
  }

  entries(): PackageEntries {
    return { folders: [...this.#folders], files: [...this.#files], links: [...this.#links.values()] };
  }

  notices(): readonly string[] {
    const { length } = this.#outside;
    const stays =
      length === 1 ? "points outside the project and stays a link" : "point outside the project and stay links";
    const outside = `${nameFew(this.#outside)} ${stays} in the copy; a hook that writes there changes the original`;
    return [...this.#leftOut, ...(length === 0 ? [] : [outside])];
  }

  /** Returns the paths to add along with it. */
  #addPath(path: string): readonly string[] {
    const stats = lstatSync(join(this.#root, path), { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) return this.#addLink(path);
    if (stats?.isDirectory()) return this.#addFolder(path);
    if (stats?.isFile() && !this.#files.has(path) && !this.#rules.isKnown(path)) {
      this.#files.add(path);
      this.#bytes += stats.size;
    }
    return [];
  }

  #addFolder(path: string): readonly string[] {
    if (this.#folders.has(path) || basename(path) === ".git" || isEnvironment(join(this.#root, path))) return [];
    this.#folders.add(path);
    if (basename(dirname(path)) === "node_modules" && CACHES.has(basename(path))) return [];
    return entriesOf(join(this.#root, path)).map(({ name }) => `${path}/${name}`);
  }

  #addLink(path: string): readonly string[] {
    if (this.#rules.isKnown(path) || this.#links.has(path)) return [];
    const target = targetOf(join(this.#root, path));
    if (target === undefined) return [];
    const inside = relative(this.#root, target);
    if (!this.#isOutside(inside)) {
      this.#links.set(path, { path, to: relative(dirname(join(this.#root, path)), target) || "." });
      return inside === "" ? [] : [inside];
    }
    if (PACKAGE.test(path)) {
      this.#links.set(path, { path, to: target });
      this.#outside.push(path);
    } else this.#leftOut.push(`${path} is a link to a target outside the project; the copy does not have it`);
    return [];
  }

  /** Repositories and Python environments are not copied with packages. */
  #isOutside(inside: string): boolean {
    const names = inside.split("/");
    const folders = names.map((_, index) => join(this.#root, ...names.slice(0, index + 1)));
    return inside.startsWith("..") || isAbsolute(inside) || names.includes(".git") || folders.some(isEnvironment);
  }
}

function targetOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined; // a dangling link
  }
}
