import { lstatSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type GitRequest, gitNames, runGit } from "../git/runGit.ts";
import { findWorkTree } from "../git/workTree.ts";
import { MOST_FILES, treeFiles } from "./treeFiles.ts";

const LIMITS = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024 };
/** So many files are looked at before other work gets its turn. */
const SLICE = 2_000;
const COMMIT = /^[0-9a-f]{40,64}$/;

interface Snapshot {
  /** The commit that is checked out; undefined before the first one. */
  readonly head: string | undefined;
  /** By absolute path: what a stat says about each file that git has or would add; without git, about each file. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** What changed in a project since now, by any program. */
export interface FileChanges {
  /** From here on nothing is missed. */
  readonly begun: Promise<unknown>;
  /** Absolute paths. Undefined where that cannot be told by the time of the signal. */
  changed(signal?: AbortSignal): Promise<readonly string[] | undefined>;
  /** Why it cannot be told. */
  readonly obstacle: string;
}

/**
 * Compares stats, not contents: to compare contents git would run the repository's clean filters. A file that was written anew with the
 * text it had counts as changed.
 */
export function watchFiles(root: string): FileChanges {
  // For every call of git: a repository can make each of them take as long as it may.
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
      // A session that ends before git has answered once was cancelled.
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
  /** As it was at the start: what git ignores is seen both times or never. */
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

/** What two commits differ in; before the first one there was nothing. */
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

/** Whether there is one in which git should answer. */
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

/** The time of the last change of the inode cannot be set back, unlike that of the content. */
function stampOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  } catch {
    return undefined; // behind a folder that may not be entered, or that is a file by now
  }
}
