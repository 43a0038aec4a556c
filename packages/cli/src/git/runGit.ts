import { dirname } from "node:path";
import { ProcessGroups, runProcess, scrubEnvironment } from "@hookline/engine/process";
import { findHelper, helperPath } from "./helperProgram.ts";
import { findWorkTree } from "./workTree.ts";

/**
 * The author of a repository writes its configuration, and git starts programs named there. These settings override
 * every configuration file. Clean filters cannot be switched off: any command that compares contents runs them.
 */
const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "core.pager=cat",
  "diff.external=",
  "submodule.recurse=false",
  "protocol.allow=never",
  "safe.bareRepository=explicit",
];
const GLOBAL = ["--no-pager", "--no-optional-locks", ...SETTINGS.flatMap((setting) => ["-c", setting])];

/** Do not fetch missing objects: the configuration of a remote names programs, too. */
const ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_TERMINAL_PROMPT: "0",
};

/** Commands that only read names and ids. `status`, `diff` and `ls-files -m` hash files and so run clean filters. */
type GitCommand = "ls-files" | "ls-tree" | "diff-tree" | "rev-parse";

export interface GitRequest {
  readonly cwd: string;
  readonly command: GitCommand;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * Returns git's output without running any program of the repository. Undefined without git, outside a work tree, and
 * on any failure.
 */
export async function runGit(request: GitRequest): Promise<string | undefined> {
  const { cwd, command, args, timeoutMs, maxBytes, signal } = request;
  const top = findWorkTree(cwd);
  const program = top === undefined ? undefined : findHelper("git", top);
  if (top === undefined || program === undefined) return undefined;
  const ending = await runProcess(
    {
      argv: [program, ...GLOBAL, command, ...args],
      stdin: "",
      cwd,
      env: environment(top),
      timeoutMs,
      killGraceMs: 0,
      outputLimitBytes: maxBytes,
      reportLeftBehind: false,
      ...(signal ? { signal } : {}),
    },
    new ProcessGroups(),
  );
  return ending.kind === "exited" && ending.code === 0 && !ending.stdoutTruncated ? ending.stdout : undefined;
}

/** The same for commands that terminate every name with a NUL. */
export async function gitNames(request: GitRequest): Promise<readonly string[] | undefined> {
  return (await runGit({ ...request, args: ["-z", ...request.args] }))?.split("\0").filter(Boolean);
}

/** The caller's GIT_* variables may name another repository (in a git hook) or programs to start. */
function environment(top: string): Record<string, string> {
  const { env } = scrubEnvironment(process.env, []);
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  const place = { PATH: helperPath(top), GIT_CEILING_DIRECTORIES: dirname(top) };
  return { ...Object.fromEntries(own), ...ENVIRONMENT, ...place };
}
