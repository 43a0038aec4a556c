import { dirname, join, relative } from "node:path";
import type { Ignore } from "ignore";
import { readRegularFile } from "./openRegularFile.ts";
import { errorCode, ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

const MAX_BYTES = 128 * 1024;
const MAX_STARS_PER_NAME = 2;
const MAX_GLOBSTARS = 2;

/** The `.gitignore` files from the workspace down to a folder; the nearest one with a rule for a path decides. */
export interface IgnoreRules {
  readonly folder: string;
  readonly own: Ignore;
  readonly outer: IgnoreRules | undefined;
}

export function isIgnored(rules: IgnoreRules | undefined, path: string, isFolder: boolean): boolean {
  for (let level = rules; level; level = level.outer) {
    const { ignored, unignored } = level.own.test(relative(level.folder, path) + (isFolder ? "/" : ""));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** The rules for the content of a folder. An ignored folder was named on purpose, so only its own rules count. */
export async function rulesFor(workspace: Workspace, folder: string): Promise<IgnoreRules | undefined> {
  if (folder === workspace.root) return withRulesOf(workspace, folder, undefined);
  const outer = await rulesFor(workspace, dirname(folder));
  return withRulesOf(workspace, folder, isIgnored(outer, folder, true) ? undefined : outer);
}

export async function withRulesOf(
  workspace: Workspace,
  folder: string,
  outer: IgnoreRules | undefined,
): Promise<IgnoreRules | undefined> {
  const text = await readRules(workspace, join(folder, ".gitignore"));
  if (text === undefined) return outer;
  const { default: ignore } = await import("ignore");
  const lines = text.split(/\r?\n/).filter((line) => !isCostly(line));
  return { folder, own: ignore().add(lines), outer };
}

/** Unreadable rules count as empty. */
async function readRules(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await readRegularFile(workspace, path, { maxBytes: MAX_BYTES, advice: "" });
    return bytes.toString("utf8");
  } catch (error) {
    if (error instanceof ToolFault || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

/**
 * Each further `*` in a name, and each further `**`, multiplies the matching time of a long path, and a repository controls both
 * the rules and the names.
 */
function isCostly(rule: string): boolean {
  const names = rule.split("/");
  return (
    names.filter((name) => name.includes("**")).length > MAX_GLOBSTARS ||
    names.some((name) => (name.match(/\*+/g)?.length ?? 0) > MAX_STARS_PER_NAME)
  );
}
