import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gitNames } from "../git/runGit.ts";

const LIMITS = { timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 };
const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface Listed {
  /** Relative to the root: files that git tracks or would add; without git, all files. */
  readonly files: readonly string[];
  /** Paths that git ignores; a fully ignored folder is one entry with a trailing slash. */
  readonly ignored: readonly string[];
}

/** Lists the files of a project. */
export async function listFiles(root: string, most: number, signal?: AbortSignal): Promise<Listed> {
  const [known, ignored] = await Promise.all([
    gitFiles(root, ["-co"], signal),
    gitFiles(root, ["-oi", "--directory"], signal),
  ]);
  if (known === undefined) return { files: filesBelow(root, "", most), ignored: [] };
  // A nested repository is listed as a folder, with or without a slash. A conflict is listed once per side.
  return { files: [...new Set(known.map((name) => name.replace(/\/$/, "")))], ignored: ignored ?? [] };
}

/**
 * Every file and link below a folder of the project. Stops once there are more than `most`, because the caller will
 * refuse them anyway.
 */
export function filesBelow(root: string, folder: string, most: number): readonly string[] {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined && found.length <= most; next = open.pop()) {
    for (const entry of entriesOf(join(root, next))) {
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (!entry.isDirectory() || isEnvironment(join(root, path))) found.push(path);
      else if (!NEVER_ENTERED.has(entry.name)) open.push(path);
    }
  }
  return found;
}

/** Whether a folder is a Python virtual environment, which can have any name. */
export function isEnvironment(folder: string): boolean {
  return existsSync(join(folder, "pyvenv.cfg"));
}

function gitFiles(
  cwd: string,
  which: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[] | undefined> {
  const args = [...which, "--exclude-standard"];
  return gitNames({ cwd, command: "ls-files", args, ...LIMITS, ...(signal === undefined ? {} : { signal }) });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // deleted by now, or not readable
  }
}
