import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** A path that cannot hold state, with the reason. */
export class UnusablePath extends Error {
  readonly path: string;
  readonly next: string;

  constructor(path: string, reason: string, next: string) {
    super(reason);
    this.path = path;
    this.next = next;
  }
}

/** Creates `~/.hookline` if missing. It may be a link: people keep settings among their dotfiles. */
export function makeUserFolder(homeDir: string): string {
  const path = join(homeDir, ".hookline");
  makeFolder(path);
  const stats = statSync(path);
  if (!stats.isDirectory()) throw new UnusablePath(path, "this is not a folder", "Move it away.");
  refuseForeign(path, stats);
  return path;
}

/** Creates a folder with owner-only permissions if missing; its parent must exist. */
export function makeOwnFolder(path: string): string {
  makeFolder(path);
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw new UnusablePath(path, "the folder is a symbolic link", "Remove the link.");
  if (!stats.isDirectory()) throw new UnusablePath(path, "this is not a folder", "Move it away.");
  refuseForeign(path, stats);
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}

/** Why a file is not a regular one of this user; `names` is how many hard links it may have. */
export function fileFault(stats: Stats, names = 1): string | undefined {
  if (!stats.isFile()) return "this is not a regular file";
  if (stats.nlink > names) return "this file has another hard link elsewhere";
  return isForeign(stats) ? "this file belongs to another user" : undefined;
}

function refuseForeign(path: string, stats: Stats): void {
  if (isForeign(stats))
    throw new UnusablePath(path, "the folder belongs to another user", "Set HOME to a folder that you own.");
}

function isForeign({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own;
}

/** Creates one level only: Node never returns from `recursive: true` below a folder such as /proc. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
