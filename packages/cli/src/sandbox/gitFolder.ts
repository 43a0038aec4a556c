import { cpSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Bounds, sizeText } from "./bounds.ts";

type GitFolder =
  | { readonly kind: "none" }
  | { readonly kind: "copied" }
  /** Said to the person: hooks that ask git will find no repository. */
  | { readonly kind: "leftOut"; readonly why: string };

/** A copy is a repository of its own, where the project is one: hooks ask git, and some commit. */
export function copyGitFolder(from: string, to: string, bounds: Bounds): GitFolder {
  const folder = join(from, ".git");
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    const outer = repositoryAround(from);
    return outer === undefined ? { kind: "none" } : { kind: "leftOut", why: `.git is further out, in ${outer}` };
  }
  if (!stats.isDirectory()) return { kind: "leftOut", why: ".git is a link to a repository elsewhere" };
  if (namesAnotherTree(folder)) return { kind: "leftOut", why: ".git has its work tree elsewhere" };
  const bytes = bytesIn(folder, bounds);
  if (bytes > bounds.maxGitBytes)
    return { kind: "leftOut", why: `.git is larger than ${sizeText(bounds.maxGitBytes)}` };
  // Neither links, which could lead back, nor the locks of a git that is at work now.
  const isLink = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  try {
    cpSync(folder, join(to, ".git"), { recursive: true, filter: (file) => !file.endsWith(".lock") && !isLink(file) });
    return { kind: "copied" };
  } catch (error) {
    rmSync(join(to, ".git"), { recursive: true, force: true });
    return { kind: "leftOut", why: `.git cannot be copied (${error instanceof Error ? error.message : error})` };
  }
}

/** The project is a part of it; git finds it from here, and will not from the copy. */
function repositoryAround(folder: string): string | undefined {
  const outer = dirname(folder);
  if (outer === folder) return undefined;
  return lstatSync(join(outer, ".git"), { throwIfNoEntry: false }) ? outer : repositoryAround(outer);
}

/** A commit in the copy would then be one of the original. */
function namesAnotherTree(folder: string): boolean {
  try {
    const config = join(folder, "config");
    return statSync(config).isFile() && /^\s*worktree\s*=/im.test(readFileSync(config, "utf8"));
  } catch {
    return false;
  }
}

/** As far as it matters: what is beyond the bounds is not counted. */
function bytesIn(folder: string, { maxGitBytes, maxFiles }: Bounds): number {
  let bytes = 0;
  let files = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
      files += 1;
      if (bytes > maxGitBytes || files > maxFiles) return maxGitBytes + 1;
    }
  }
  return bytes;
}
