import { gitNames } from "../../git/runGit.ts";

const LIMITS = { timeoutMs: 20_000, maxBytes: 64 * 1024 };

/** By their paths from the project. */
export interface Listed {
  /** Git has them. */
  readonly known: readonly string[];
  /** It has not, and does not ignore them either. */
  readonly others: readonly string[];
}

/** Nothing where there is no git, or no repository. */
export async function listedByGit(cwd: string, pattern: string, signal: AbortSignal): Promise<Listed> {
  const args = ["-t", "-co", "--exclude-standard", "--", `:(glob)${pattern}`];
  // `? .hookline/journal.db`: would be added; with another letter, it is known to git.
  const lines = (await gitNames({ cwd, command: "ls-files", args, signal, ...LIMITS })) ?? [];
  const pathsOf = (some: readonly string[]) => some.map((line) => line.slice(2));
  return {
    known: pathsOf(lines.filter((line) => !line.startsWith("? "))),
    others: pathsOf(lines.filter((line) => line.startsWith("? "))),
  };
}
