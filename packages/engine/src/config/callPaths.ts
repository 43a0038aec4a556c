import { isAbsolute, relative, resolve, sep } from "node:path";
import { realPathOf } from "./realPath.ts";

interface Place {
  /** What a relative path starts from. */
  readonly workingDir: string;
  /** Without links. */
  readonly projectRoot: string;
}

export interface CallPath {
  /** The file itself: absolute, without links, with `..` taken out before links are followed. */
  readonly file: string;
  /** Other spellings of the path, in the form it was sent in: where links lead, and where `..` leads if links are followed first. */
  readonly others: readonly string[];
}

/** Where a path that a tool was given leads. Links above the project root are not a difference. */
export function callPath(sent: string, { workingDir, projectRoot }: Place): CallPath {
  const lexical = resolve(workingDir, sent);
  const file = realPathOf(lexical);
  // The usual case, without a further look at the disk.
  if (file === lexical && sent === (isAbsolute(sent) ? file : relative(workingDir, file))) return { file, others: [] };
  const files = [file];
  if (sent.includes("..")) files.push(realPathOf(isAbsolute(sent) ? sent : `${workingDir}${sep}${sent}`));
  const spelled = files.flatMap((real) => {
    if (isAbsolute(sent)) return isBelowSameRoot(sent, real, projectRoot) ? [] : [real];
    return [fromFolder(realPathOf(workingDir), real, projectRoot)];
  });
  return { file, others: [...new Set(spelled)].filter((path) => path !== sent) };
}

/** Whether only links above the project root make the difference. */
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
