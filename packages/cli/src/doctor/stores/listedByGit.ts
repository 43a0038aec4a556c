import { ProcessGroups, runProcess, scrubEnvironment } from "@hookline/engine/process";

const PATIENCE_MS = 20_000;
const MOST_BYTES = 64 * 1024;
/** A repository must not be able to have programs of its own started by being looked at. */
const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];

/** By their paths from the project. */
export interface Listed {
  /** Git has them. */
  readonly known: readonly string[];
  /** It has not, and does not ignore them either. */
  readonly others: readonly string[];
}

/** Nothing where there is no git, or no repository. */
export async function listedByGit(cwd: string, pattern: string, signal: AbortSignal): Promise<Listed> {
  const ending = await runProcess(
    {
      argv: ["git", ...QUIET, "ls-files", "-t", "-co", "--exclude-standard", "-z", "--", `:(glob)${pattern}`],
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
  // `? .hookline/journal.db`: would be added; with another letter, it is known to git.
  const lines = ending.kind === "exited" && ending.code === 0 ? ending.stdout.split("\0").filter(Boolean) : [];
  const pathsOf = (some: readonly string[]) => some.map((line) => line.slice(2));
  return {
    known: pathsOf(lines.filter((line) => !line.startsWith("? "))),
    others: pathsOf(lines.filter((line) => line.startsWith("? "))),
  };
}

/** In a hook of git, its variables name the repository that the hook is for; here the folder says which one is meant. */
function withoutGit(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));
}
