import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ProcessGroups, runProcess, scrubEnvironment } from "@hookline/engine/process";

const PATIENCE_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A repository must not be able to have programs of its own started by being looked at. */
const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];
const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** The files of a project, by path from its root: those that git has or would add; without git, all. */
export async function listFiles(root: string, most: number, signal?: AbortSignal): Promise<readonly string[]> {
  return (await gitFiles(root, signal)) ?? filesBelow(root, "", most);
}

/** Every file and link below a folder of the project. It ends early when there are more than `most`: nobody wants those. */
export function filesBelow(root: string, folder: string, most: number): readonly string[] {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined && found.length <= most; next = open.pop()) {
    for (const entry of entriesOf(join(root, next))) {
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (!entry.isDirectory()) found.push(path);
      else if (!NEVER_ENTERED.has(entry.name)) open.push(path);
    }
  }
  return found;
}

async function gitFiles(root: string, signal: AbortSignal | undefined): Promise<readonly string[] | undefined> {
  const ending = await runProcess(
    {
      argv: ["git", ...QUIET, "ls-files", "-co", "--exclude-standard", "-z"],
      stdin: "",
      cwd: root,
      env: withoutGit(scrubEnvironment(process.env, []).env),
      timeoutMs: PATIENCE_MS,
      killGraceMs: 0,
      outputLimitBytes: MOST_BYTES,
      reportLeftBehind: false,
      ...(signal === undefined ? {} : { signal }),
    },
    new ProcessGroups(),
  );
  if (ending.kind !== "exited" || ending.code !== 0 || ending.stdoutTruncated) return undefined;
  const names = ending.stdout.split("\0").filter(Boolean);
  // A repository inside of this one is listed as a folder, with a slash or without. A conflict is listed once per side.
  return [...new Set(names.map((name) => name.replace(/\/$/, "")))];
}

/** In a hook of git, its variables name the repository that the hook is for; here the folder says which one is meant. */
function withoutGit(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone by now, or nobody's to read
  }
}
