import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { errorCode, ToolFault } from "./toolFault.ts";

const MOST_LINKS = 40; // the limit of Linux

/** The folder that file tools may touch. */
export class Workspace {
  /** Absolute, and without symbolic links. */
  readonly root: string;

  constructor(root: string) {
    this.root = realpathSync.native(root);
  }

  /**
   * Where a path really leads, absolute and without symbolic links, also if nothing is there yet. Throws if that is not
   * inside. `..` is taken out before links are followed, and callers use only what is returned, so both mean the same file.
   */
  resolve(path: string): string {
    if (path === "") throw new ToolFault("The path is empty.");
    if (path.includes("\0")) throw new ToolFault("The path contains a NUL character.");
    const real = followLinks(resolve(this.root, path), MOST_LINKS);
    if (!this.contains(real)) throw new ToolFault(this.#outside(path, real));
    return real;
  }

  /** Whether this real path still leads to itself: nothing in it has become a link. */
  isCurrent(realPath: string): boolean {
    return this.contains(realPath) && followLinks(realPath, MOST_LINKS) === realPath;
  }

  contains(realPath: string): boolean {
    return realPath === this.root || realPath.startsWith(this.root === sep ? sep : this.root + sep);
  }

  /** The shortest way to say which file is meant, for people and models. */
  show(realPath: string): string {
    return relative(this.root, realPath) || ".";
  }

  #outside(path: string, real: string): string {
    const way = real === resolve(this.root, path) ? "" : ` (it leads to ${real})`;
    return `${path} is outside of the workspace ${this.root}${way}. Use a path inside of it.`;
  }
}

/** The workspace of one call. A path is resolved once, so that the same file is checked, approved and opened. */
export class CallWorkspace extends Workspace {
  readonly #resolved = new Map<string, string>();

  override resolve(path: string): string {
    const known = this.#resolved.get(path);
    if (known !== undefined) return known;
    const real = super.resolve(path);
    this.#resolved.set(path, real);
    return real;
  }

  /** Throws if a path no longer leads to the file that hooks were asked about. */
  expect(path: string, real: string): void {
    if (this.resolve(path) === real) return;
    throw new ToolFault(
      `${path} leads to another file than when hooks were asked about it. Nothing was read or written.`,
    );
  }
}

/** What `realpath` says, and beyond the end of what exists, what it would say. */
function followLinks(path: string, linksLeft: number): string {
  try {
    return realpathSync.native(path); // the other one keeps a wrong case, where case does not count
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw new ToolFault(`${path} cannot be looked up: ${code ?? error}.`);
  }
  const folder = followLinks(dirname(path), linksLeft);
  const target = linkTarget(path);
  if (target === undefined) return join(folder, basename(path));
  if (linksLeft === 0) throw new ToolFault(`${path} leads through too many symbolic links.`);
  return followLinks(resolve(folder, target), linksLeft - 1);
}

/** Of a link that leads to nothing: a file written through it would be created where it points. */
function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // nothing is there
  }
}
