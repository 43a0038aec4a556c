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
   * Resolves a path, which need not exist, to an absolute one without symbolic links. Throws if it is outside. Removes `..`
   * before following links; callers must use only the result, so that the checked file is the used one.
   */
  resolve(path: string): string {
    if (path === "") throw new ToolFault("The path is empty.");
    if (path.includes("\0")) throw new ToolFault("The path contains a NUL character.");
    const real = followLinks(resolve(this.root, path), MOST_LINKS);
    if (!this.contains(real)) throw new ToolFault(this.#outside(path, real));
    return real;
  }

  /** Whether this real path still resolves to itself: no part of it has become a link. */
  isCurrent(realPath: string): boolean {
    return this.contains(realPath) && followLinks(realPath, MOST_LINKS) === realPath;
  }

  contains(realPath: string): boolean {
    return realPath === this.root || realPath.startsWith(this.root === sep ? sep : this.root + sep);
  }

  /** The shortest path to show to users and models. */
  show(realPath: string): string {
    return relative(this.root, realPath) || ".";
  }

  #outside(path: string, real: string): string {
    const way = real === resolve(this.root, path) ? "" : ` (it leads to ${real})`;
    return `${path} is outside of the workspace ${this.root}${way}. Use a path inside of it.`;
  }
}

/** The workspace of a call. Resolves each path once, so that the checked, the approved and the opened file are the same. */
export class CallWorkspace extends Workspace {
  readonly #resolved = new Map<string, string>();

  override resolve(path: string): string {
    const known = this.#resolved.get(path);
    if (known !== undefined) return known;
    const real = super.resolve(path);
    this.#resolved.set(path, real);
    return real;
  }

  /** Throws if a path no longer leads to the file that hooks have checked. */
  expect(path: string, real: string): void {
    if (this.resolve(path) === real) return;
    throw new ToolFault(
      `${path} now leads to another file than the one that hooks have checked. Nothing was read or written.`,
    );
  }
}

/** Like `realpath`, but also for paths that do not exist yet. */
function followLinks(path: string, linksLeft: number): string {
  try {
    return realpathSync.native(path); // unlike `realpathSync`, corrects the case on file systems that ignore it
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

/** The target of a dangling link: writing through it would create a file there. */
function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // the path does not exist
  }
}
