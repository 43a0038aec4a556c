import { existsSync } from "node:fs";
import { relative } from "node:path";
import { ProcessGroups, runProcess, scrubEnvironment } from "@hookline/engine/process";
import { makeStoreFile } from "../../store/storeFile.ts";
import { error, type Finding, warning } from "../finding.ts";
import type { Store } from "./store.ts";

const PATIENCE_MS = 20_000;
const MOST_BYTES = 64 * 1024;
/** A repository must not be able to have programs of its own started by being looked at. */
const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];

/** Stores that git has, or would take at the next `git add`. Nothing where there is no git, or no repository. */
export async function inGit(
  projectRoot: string,
  stores: readonly Store[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const there = stores.filter(({ path }) => existsSync(path));
  if (there.length === 0) return [];
  const listed = await listedByGit(projectRoot, there, signal);
  return there.flatMap(({ name, path, spec }): readonly Finding[] => {
    const shown = relative(projectRoot, path);
    if (listed.includes(`? ${shown}`)) {
      const fix = async () => {
        if (spec) makeStoreFile(projectRoot, spec);
        return `${shown} was added to .hookline/.gitignore`;
      };
      const next = "`hookline doctor --fix`, or write it into .hookline/.gitignore.";
      return [warning({ what: `git does not ignore ${name}: it would be committed.`, file: path, next, fix })];
    }
    if (!listed.some((line) => line.endsWith(` ${shown}`))) return [];
    const next = `Take it out with \`git rm --cached ${shown}\`; who has the repository has what is in it.`;
    return [error({ what: `${name} is in the git repository.`, file: path, next })];
  });
}

/** `? .hookline/journal.db`: would be added; with another letter, it is known to git. */
async function listedByGit(cwd: string, stores: readonly Store[], signal: AbortSignal): Promise<readonly string[]> {
  const paths = stores.map(({ path }) => relative(cwd, path));
  const ending = await runProcess(
    {
      argv: ["git", ...QUIET, "ls-files", "-t", "-co", "--exclude-standard", "-z", "--", ...paths],
      stdin: "",
      cwd,
      env: withoutGit(scrubEnvironment(process.env, []).env),
      timeoutMs: PATIENCE_MS,
      killGraceMs: 0,
      outputLimitBytes: MOST_BYTES,
      reportLeftBehind: false,
      signal,
    },
    new ProcessGroups(),
  );
  return ending.kind === "exited" && ending.code === 0 ? ending.stdout.split("\0").filter(Boolean) : [];
}

/** In a hook of git, its variables name the repository that the hook is for; here the folder says which one is meant. */
function withoutGit(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));
}
