import { cpSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorText } from "@hookline/engine/program";
import { type Bounds, sizeText } from "./bounds.ts";

type GitFolder =
  | { readonly kind: "none" }
  | { readonly kind: "copied" }
  /** Shown to the user: hooks that call git will not find a repository. */
  | { readonly kind: "leftOut"; readonly why: string };

/** Copies `.git`, so that hooks can query git and commit without changing the project's repository. */
export function copyGitFolder(from: string, to: string, bounds: Bounds): GitFolder {
  const folder = join(from, ".git");
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    const outer = repositoryAround(from);
    return outer === undefined ? { kind: "none" } : { kind: "leftOut", why: `.git is in a parent folder, ${outer}` };
  }
  if (!stats.isDirectory()) return { kind: "leftOut", why: ".git is a link to a repository elsewhere" };
  if (namesAnotherTree(folder)) return { kind: "leftOut", why: ".git has its work tree elsewhere" };
  const bytes = bytesIn(folder, bounds);
  if (bytes > bounds.maxGitBytes)
    return { kind: "leftOut", why: `.git is larger than ${sizeText(bounds.maxGitBytes)}` };
  // Skip symbolic links, which could lead back into the project, and the lock files of a running git.
  const isLink = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  try {
    cpSync(folder, join(to, ".git"), { recursive: true, filter: (file) => !file.endsWith(".lock") && !isLink(file) });
    return { kind: "copied" };
  } catch (error) {
    rmSync(join(to, ".git"), { recursive: true, force: true });
    return { kind: "leftOut", why: `.git cannot be copied (${errorText(error)})` };
  }
}

/** The repository in a parent folder, which git finds from the project but will not find from the copy. */
function repositoryAround(folder: string): string | undefined {
  const outer = dirname(folder);
  if (outer === folder) return undefined;
  return lstatSync(join(outer, ".git"), { throwIfNoEntry: false }) ? outer : repositoryAround(outer);
}

/** A commit in the copy would otherwise change the original repository. */
function namesAnotherTree(folder: string): boolean {
  try {
    const config = join(folder, "config");
    return statSync(config).isFile() && /^\s*worktree\s*=/im.test(readFileSync(config, "utf8"));
  } catch {
    return false;
  }
}

/** Stops counting above the bounds. */
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
