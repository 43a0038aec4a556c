import { lstatSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { realPathOf } from "./realPath.ts";

interface Place {
  /** The folder that relative paths start from. */
  readonly workingDir: string;
  /** Real path, without links. */
  readonly projectRoot: string;
}

export interface CallPath {
  /** The file's real path: absolute, with `..` removed before links are followed. */
  readonly file: string;
  /** Other spellings of the path, in the form it was sent in: the link targets, and the target of `..` if links are followed first. */
  readonly others: readonly string[];
}

/** Resolves a path from a tool call. Links above the project root do not count as another spelling. */
export function callPath(sent: string, { workingDir, projectRoot }: Place): CallPath {
  const lexical = resolve(workingDir, sent);
  const isNormal = sent === "." || lexical === (isAbsolute(sent) ? sent : `${workingDir}${sep}${sent}`);
  if (isNormal && isWithoutLinks(lexical, projectRoot)) return { file: lexical, others: [] };
  const file = realPathOf(lexical);
  const files = [file];
  if (sent.includes("..")) files.push(realPathOf(isAbsolute(sent) ? sent : `${workingDir}${sep}${sent}`));
  const spelled = files.flatMap((real) => {
    if (isAbsolute(sent)) return isBelowSameRoot(sent, real, projectRoot) ? [] : [real];
    return [fromFolder(realPathOf(workingDir), real, projectRoot)];
  });
  return { file, others: [...new Set(spelled)].filter((path) => path !== sent) };
}

/** Fast path for the common case, one `lstat` per folder: resolving a path that does not exist yet takes many. */
function isWithoutLinks(path: string, realRoot: string): boolean {
  if (!isInside(path, realRoot)) return false;
  for (let end = realRoot.length; end !== -1 && end < path.length; ) {
    end = path.indexOf(sep, end + 1);
    const kind = kindOf(end === -1 ? path : path.slice(0, end));
    if (kind === "missing") return true; // a missing file cannot be a link
    if (kind !== "plain") return false;
  }
  return true;
}

function kindOf(path: string): "plain" | "link" | "missing" | "unknown" {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? "missing" : stats.isSymbolicLink() ? "link" : "plain";
  } catch {
    return "unknown"; // below a file, or below a folder without access
  }
}

/** Whether the two paths differ only by links above the project root. */
function isBelowSameRoot(sent: string, real: string, projectRoot: string): boolean {
  if (sent === real) return true;
  if (!isInside(real, projectRoot)) return false;
  const below = real.slice(projectRoot.length);
  return sent.endsWith(below) && realPathOf(sent.slice(0, sent.length - below.length)) === projectRoot;
}

function fromFolder(folder: string, real: string, projectRoot: string): string {
  if (!isInside(real, projectRoot)) return real;
  const path = relative(folder, real);
  return path.startsWith("..") ? real : path || ".";
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep);
}
