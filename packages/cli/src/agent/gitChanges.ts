import { statSync } from "node:fs";
import { join } from "node:path";
import { ProcessGroups, runProcess, scrubEnvironment } from "@hookline/engine/process";

const PATIENCE_MS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;
/** A repository must not be able to have programs of its own started by being looked at. */
const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];

interface Snapshot {
  readonly head: string;
  /** Absolute paths of files that differ from the last commit, with what a stat says about them. */
  readonly dirty: ReadonlyMap<string, string>;
  readonly inTree: (path: string) => string;
}

/** What changed in a git work tree since now, by whomever. */
export interface GitChanges {
  /** From here on nothing is missed. */
  readonly begun: Promise<unknown>;
  /** Absolute paths; none where there is no repository, or no git. */
  changed(): Promise<readonly string[]>;
}

export function watchGit(root: string): GitChanges {
  const before = snapshot(root);
  return {
    begun: before,
    async changed() {
      const [then, now] = [await before, await snapshot(root)];
      if (!then || !now) return [];
      const touched = [...now.dirty].filter(([path, stamp]) => then.dirty.get(path) !== stamp).map(([path]) => path);
      const cleaned = [...then.dirty.keys()].filter((path) => !now.dirty.has(path));
      const committed = then.head === now.head ? [] : await namesIn(root, between(then.head, now.head));
      return [...touched, ...cleaned, ...(committed ?? []).map(now.inTree)];
    },
  };
}

/** What two commits differ in; before the first one there was nothing. */
function between(then: string, now: string): readonly string[] {
  return then === ""
    ? ["ls-tree", "-r", "--name-only", "--full-tree", "-z", now]
    : ["diff", "--name-only", "-z", "--no-ext-diff", then, now];
}

async function snapshot(root: string): Promise<Snapshot | undefined> {
  const [top, head, status] = await Promise.all([
    git(root, ["rev-parse", "--show-toplevel"]),
    git(root, ["rev-parse", "--verify", "--quiet", "HEAD"]),
    namesIn(root, ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"]),
  ]);
  if (!status || !top) return undefined;
  // Every entry has two letters and a space before its path, which is told from the top of the work tree.
  const inTree = (path: string) => join(top.replace(/\n$/, ""), path);
  const dirty = status.map((entry) => inTree(entry.slice(3))).map((path): [string, string] => [path, stampOf(path)]);
  return { head: head?.trim() ?? "", dirty: new Map(dirty), inTree };
}

async function namesIn(root: string, args: readonly string[]): Promise<readonly string[] | undefined> {
  return (await git(root, args))?.split("\0").filter(Boolean);
}

async function git(root: string, args: readonly string[]): Promise<string | undefined> {
  const ending = await runProcess(
    {
      argv: ["git", ...QUIET, ...args],
      stdin: "",
      cwd: root,
      env: scrubEnvironment(process.env, []).env,
      timeoutMs: PATIENCE_MS,
      killGraceMs: 0,
      outputLimitBytes: MOST_BYTES,
      reportLeftBehind: false,
    },
    new ProcessGroups(),
  );
  return ending.kind === "exited" && ending.code === 0 ? ending.stdout : undefined;
}

function stampOf(path: string): string {
  const { size = -1, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${size} ${mtimeMs}`;
}
