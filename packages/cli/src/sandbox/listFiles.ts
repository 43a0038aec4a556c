import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gitNames } from "../git/runGit.ts";

const LIMITS = { timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 };
const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface Listed {
  /** By path from the root: what git has or would add; without git, all. */
  readonly files: readonly string[];
  /** What git ignores; a folder of which it ignores everything is one entry, and ends in a slash. */
  readonly ignored: readonly string[];
}

/** What is in a project. */
export async function listFiles(root: string, most: number, signal?: AbortSignal): Promise<Listed> {
  const [known, ignored] = await Promise.all([
    gitFiles(root, ["-co"], signal),
    gitFiles(root, ["-oi", "--directory"], signal),
  ]);
  if (known === undefined) return { files: filesBelow(root, "", most), ignored: [] };
  // A repository inside of this one is listed as a folder, with a slash or without. A conflict is listed once per side.
  return { files: [...new Set(known.map((name) => name.replace(/\/$/, "")))], ignored: ignored ?? [] };
}

/** Every file and link below a folder of the project. It ends early when there are more than `most`: nobody wants those. */
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

/** Packages of Python, with the program that runs them: like node_modules, under a name of anybody's choice. */
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
    return []; // gone by now, or nobody's to read
  }
}
