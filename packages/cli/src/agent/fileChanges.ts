import { lstatSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type GitRequest, gitNames, runGit } from "../git/runGit.ts";
import { findWorkTree } from "../git/workTree.ts";
import { MOST_FILES, treeFiles } from "./treeFiles.ts";

const LIMITS = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024 };
/** The number of files to stat before yielding to other work. */
const SLICE = 2_000;
const COMMIT = /^[0-9a-f]{40,64}$/;

interface Snapshot {
  /** The commit that is checked out; undefined before the first commit. */
  readonly head: string | undefined;
  /** The stat of each file that git tracks or would add, by absolute path; without git, of each file. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** The changes of any program to a project from now on. */
export interface FileChanges {
  /** Resolves once no change can be missed. */
  readonly begun: Promise<unknown>;
  /** Absolute paths of changed files. Undefined if they cannot be determined before the signal aborts. */
  changed(signal?: AbortSignal): Promise<readonly string[] | undefined>;
  /** Why the changes cannot be determined. */
  readonly obstacle: string;
}

/**
 * Compares stats, not contents: comparing contents, git would run the repository's clean filters. A file that was rewritten with the
 * same text counts as changed.
 */
export function watchFiles(root: string): FileChanges {
  // One limit for all calls of git: a repository can delay each call up to its limit.
  const git = new AbortController();
  const place: Place = { root, signal: git.signal, inGit: isRepository(root) };
  let hasBegun = false;
  const before = snapshot(place).finally(() => {
    hasBegun = true;
  });
  return {
    begun: before,
    obstacle: place.inGit
      ? "Git did not answer"
      : `There is no git repository, and the project has more than ${MOST_FILES} files or is slow to read`,
    async changed(signal) {
      const stop = () => git.abort();
      // A session that ends before the first answer of git was cancelled.
      if (signal?.aborted || !hasBegun) stop();
      signal?.addEventListener("abort", stop, { once: true });
      const then = await before;
      const now = then && (await snapshot(place));
      if (!then || !now) return undefined;
      const paths = new Set([...then.stamps.keys(), ...now.stamps.keys()]);
      const touched = [...paths].filter((path) => then.stamps.get(path) !== now.stamps.get(path));
      const inCommits = await committed(place, then.head, now.head);
      return inCommits && [...touched, ...inCommits];
    },
  };
}

interface Place {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Decided at the start, so that both snapshots treat ignored files alike. */
  readonly inGit: boolean;
}

async function committed(
  { root, signal }: Place,
  then: string | undefined,
  now: string | undefined,
): Promise<readonly string[] | undefined> {
  if (now === undefined || then === now) return [];
  const names = await gitNames({ cwd: root, signal, ...LIMITS, ...between(then, now) });
  return names?.map((name) => join(root, name));
}

/** The files that differ between two commits; without an earlier commit, all files. */
function between(then: string | undefined, now: string): Pick<GitRequest, "command" | "args"> {
  return then === undefined
    ? { command: "ls-tree", args: ["-r", "--name-only", now] }
    : { command: "diff-tree", args: ["-r", "--name-only", "--relative", "--no-renames", then, now] };
}

async function snapshot({ root, signal, inGit }: Place): Promise<Snapshot | undefined> {
  if (!inGit) {
    const files = await treeFiles(root, signal);
    return files && { head: undefined, stamps: await stampsOf(files) };
  }
  const [head, files] = await Promise.all([
    runGit({ cwd: root, signal, command: "rev-parse", args: ["--verify", "--quiet", "HEAD"], ...LIMITS }),
    gitNames({ cwd: root, signal, command: "ls-files", args: ["-co", "--exclude-standard"], ...LIMITS }),
  ]);
  if (!files) return undefined;
  const commit = head?.trim() ?? "";
  return {
    head: COMMIT.test(commit) ? commit : undefined,
    stamps: await stampsOf(files.map((name) => join(root, name))),
  };
}

/** Whether there is a repository in which git should work. */
function isRepository(root: string): boolean {
  const top = findWorkTree(root);
  const stats = top === undefined ? undefined : lstatSync(join(top, ".git"), { throwIfNoEntry: false });
  if (top === undefined || !stats) return false;
  return !stats.isDirectory() || lstatSync(join(top, ".git/HEAD"), { throwIfNoEntry: false }) !== undefined;
}

async function stampsOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const stamps = new Map<string, string>();
  for (const [index, path] of paths.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    const stamp = stampOf(path);
    if (stamp !== undefined) stamps.set(path, stamp);
  }
  return stamps;
}

/** Includes ctime, which programs cannot set back, unlike mtime. */
function stampOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  } catch {
    return undefined; // a parent folder is not accessible, or has become a file
  }
}
