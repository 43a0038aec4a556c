import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { ProgramError } from "../errors.ts";
import { textOf } from "./fileText.ts";

const MOST_BYTES = 16 * 1024 * 1024;

/** A host's file, as it was when it was read. */
export interface HostFile {
  /** Where the host looks for it. */
  readonly path: string;
  /** Where it is, behind links: people keep settings among their dotfiles. */
  readonly target: string;
  /** Undefined: there is none. */
  readonly bytes: Buffer | undefined;
  /** Why it cannot be written. What would be written can be shown nevertheless. */
  readonly fault: ProgramError | undefined;
}

/** Reads a host's file that is to be changed. `within` is a folder that no link may lead out of: what a repository links is not the person's. */
export function readHostFile(path: string, within?: string): HostFile {
  const target = targetOf(path);
  if (within !== undefined && !isInside(target, realpathSync(within))) {
    throw unusable(path, `it is a link out of the project, to ${target}`, "Replace the link with a file.");
  }
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined)
    return { path, target, bytes: undefined, fault: writeFault(path, existingFolder(dirname(target))) };
  if (!stats.isFile()) throw unusable(path, "it is not a regular file", "Move it away.");
  if (stats.size > MOST_BYTES)
    throw unusable(path, `it has ${stats.size} bytes`, "hookline changes files up to 16 MB.");
  const fault = readOnlyFault(path, stats) ?? writeFault(path, target) ?? writeFault(path, dirname(target));
  return { path, target, bytes: readFileSync(target), fault };
}

/** The text of a file that is only looked at; undefined if there is none that can be read. */
export function hostText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    // A pipe in a project would keep the reader waiting.
    return stats.isFile() && stats.size <= MOST_BYTES ? textOf(readFileSync(path), path).text : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the file still is as it was read. */
export function isUnchanged({ path, target, bytes }: HostFile): boolean {
  if (targetOf(path) !== target) return false;
  const isThere = lstatSync(target, { throwIfNoEntry: false }) !== undefined;
  return bytes === undefined ? !isThere : isThere && readFileSync(target).equals(bytes);
}

/** Its real path. A file that is not there yet has that of its folder. */
function targetOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return join(realFolder(dirname(path)), basename(path));
  try {
    return realpathSync(path);
  } catch (cause) {
    throw unusable(path, "it is a link to a file that is not there", "Create that file, or remove the link.", cause);
  }
}

function realFolder(folder: string): string {
  const existing = existingFolder(folder);
  return realpathSync(existing) + folder.slice(existing === sep ? 0 : existing.length);
}

/** The folder, or the nearest one around it that exists. */
export function existingFolder(folder: string): string {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats === undefined && dirname(folder) !== folder ? existingFolder(dirname(folder)) : folder;
}

/** Root may write it nevertheless, but it is read-only for a reason: another program may generate it. */
function readOnlyFault(path: string, { mode }: Stats): ProgramError | undefined {
  if ((mode & 0o200) !== 0) return undefined;
  const next = "Make it writable with `chmod u+w`, or add the hooks that --dry-run shows to what generates the file.";
  return unusable(path, "it is read-only", next);
}

function writeFault(path: string, target: string): ProgramError | undefined {
  try {
    accessSync(target, constants.W_OK);
    return undefined;
  } catch (cause) {
    const next = "Add the hooks that --dry-run shows to the file yourself, with the permissions that it needs.";
    return unusable(path, `you may not write ${target === path ? "it" : target}`, next, cause);
  }
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === sep ? sep : folder + sep);
}

export function unusable(file: string, why: string, next: string, cause?: unknown): ProgramError {
  return new ProgramError({
    code: "FILE_UNUSABLE",
    where: { file },
    what: `The file cannot be changed: ${why}.`,
    next,
    cause,
  });
}
