import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileFault } from "./ownFolder.ts";

/** Finishing a draft takes milliseconds: one this old was left behind by a killed process, even on the slowest disk. */
const DRAFT_MS = 60_000;
/** The same for the lock that earlier versions held while they created a file. */
const LOCK_MS = 2_000;
const DRAFT = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new(?:-journal|-wal|-shm)?$/;

/** An unguessable name beside a file, for its content until it is complete. */
export function draftOf(path: string): string {
  return `${path}.${randomUUID()}.new`;
}

/**
 * Gives a finished draft its name, unless a file already has it: a rename would replace that. The draft keeps its own
 * name, too. Returns false on a file system without hard links.
 */
export function linkDraft(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EEXIST";
  }
}

/**
 * Like `fileFault`, for a file that a draft is linked to: it has a second hard link until its creator removes the draft.
 * Undefined if there is no file.
 */
export function linkedFileFault(path: string): string | undefined {
  const seen = statsOf(path);
  if (seen === undefined || seen.nlink === 1) return seen && fileFault(seen);
  const names = 1 + draftsOf(path).filter((draft) => isSame(statsOf(draft), seen)).length;
  // Look again, after the drafts: the creator may have removed its draft before they were listed.
  const stats = statsOf(path);
  return stats && fileFault(stats, names);
}

/** What killed processes left beside a file: drafts, and locks of earlier versions. */
export function leftBehind(path: string, now: number): readonly string[] {
  // A timestamp in the future means a broken clock: treat it as old.
  const isOld = (file: string, ms: number) => Math.abs(now - (statsOf(file)?.mtimeMs ?? now)) > ms;
  const named = statsOf(path);
  const drafts = draftsOf(path).filter((draft) => isOld(draft, DRAFT_MS) || isSame(statsOf(draft), named));
  return [`${path}.lock`].filter((lock) => isOld(lock, LOCK_MS)).concat(drafts);
}

export function removeLeftBehind(path: string): void {
  try {
    for (const file of leftBehind(path, Date.now())) rmSync(file, { recursive: true, force: true });
  } catch {
    // a read-only folder
  }
}

function draftsOf(path: string): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)];
  return namesIn(folder)
    .filter((entry) => entry.startsWith(name) && DRAFT.test(entry.slice(name.length)))
    .map((entry) => join(folder, entry));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // missing, or not readable
  }
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function statsOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}
