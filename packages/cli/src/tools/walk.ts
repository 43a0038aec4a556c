import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type IgnoreRules, isIgnored, rulesFor, withRulesOf } from "./ignoreRules.ts";
import { inFolder } from "./openFolder.ts";
import { errorCode, ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

/** Larger than any sensible search. */
export const MAX_WALKED = 200_000;

const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface Entry {
  readonly name: string;
  /** Absolute. The walk does not follow links: they can lead out of the workspace, or in circles. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

interface Walk {
  readonly workspace: Workspace;
  /** A real path. */
  readonly folder: string;
  readonly respectGitIgnore: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Yields the files and links below a folder, sorted: those of each folder first, then those of its subfolders. */
export async function* walk({ workspace, folder, respectGitIgnore, signal }: Walk): AsyncGenerator<Entry> {
  const open = [{ folder, outer: respectGitIgnore ? await outerRules(workspace, folder) : undefined }];
  for (let next = open.pop(); next; next = open.pop()) {
    const rules = respectGitIgnore ? await withRulesOf(workspace, next.folder, next.outer) : undefined;
    const found =
      next.folder === folder ? await entriesOfStart(workspace, folder) : await entriesOf(workspace, next.folder);
    const entries = found.filter(
      ({ name, path, kind }) => !NEVER_ENTERED.has(name) && !isIgnored(rules, path, kind === "folder"),
    );
    for (const entry of entries) {
      signal?.throwIfAborted();
      if (entry.kind === "file" || entry.kind === "link") yield entry;
    }
    const folders = entries.filter(({ kind }) => kind === "folder").reverse();
    open.push(...folders.map(({ path }) => ({ folder: path, outer: rules })));
  }
}

/** The entries of a folder, sorted by name, and the number of hidden ones. */
export async function listFolder({ workspace, folder, respectGitIgnore }: Omit<Walk, "signal">) {
  const all = await entriesOfStart(workspace, folder);
  const rules = respectGitIgnore ? await rulesFor(workspace, folder) : undefined;
  const shown = all.filter(
    ({ name, path, kind }) =>
      !respectGitIgnore || (!NEVER_ENTERED.has(name) && !isIgnored(rules, path, kind === "folder")),
  );
  return { entries: shown, hidden: all.length - shown.length };
}

async function outerRules(workspace: Workspace, folder: string): Promise<IgnoreRules | undefined> {
  const rules = await rulesFor(workspace, folder);
  return rules?.folder === folder ? rules.outer : rules;
}

/** The start must be a readable folder; unreadable or removed subfolders are skipped. */
async function entriesOfStart(workspace: Workspace, folder: string): Promise<readonly Entry[]> {
  try {
    return await readFolder(workspace, folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new ToolFault(`${workspace.show(folder)} does not exist.`);
    if (errorCode(error) === "ENOTDIR") throw new ToolFault(`${workspace.show(folder)} is not a folder.`);
    throw error;
  }
}

async function entriesOf(workspace: Workspace, folder: string): Promise<readonly Entry[]> {
  return readFolder(workspace, folder).catch(() => []);
}

async function readFolder(workspace: Workspace, folder: string): Promise<readonly Entry[]> {
  const found = await inFolder(workspace, folder, (path) => readdir(path, { withFileTypes: true }));
  const entries = found.map((entry) => ({ name: entry.name, path: join(folder, entry.name), kind: kindOf(entry) }));
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
