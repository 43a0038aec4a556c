import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { HooklineError } from "@hookline/engine";
import { isMade } from "./isMade.ts";
import { underLock } from "./makingLock.ts";

const FOLDER = ".hookline";

/** A database in a project's `.hookline`. */
export interface StoreSpec {
  /** `tasks.db` */
  readonly file: string;
  /** Says that it cannot be used. */
  readonly unusable: (path: string, reason: string, more: { readonly next: string }) => HooklineError;
}

export function storePath(projectRoot: string, { file }: StoreSpec): string {
  return join(projectRoot, FOLDER, file);
}

export function hasStore(projectRoot: string, spec: StoreSpec): boolean {
  return lstatSync(storePath(projectRoot, spec), { throwIfNoEntry: false }) !== undefined;
}

/**
 * Makes room for a store: really inside of the project, whatever links a repository brings along, readable by its owner
 * only, and out of sight for git.
 */
export function makeStoreFile(projectRoot: string, spec: StoreSpec): string {
  const path = storePath(projectRoot, spec);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  if (realpathSync(folder) !== join(realpathSync(projectRoot), FOLDER)) {
    throw spec.unusable(path, "the folder .hookline is a link to another place", {
      next: "Make it a folder of the project.",
    });
  }
  // The database itself, and what SQLite keeps beside it.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw spec.unusable(file, "this is no regular file", { next: "Move it away." });
  }
  ignoreStore(join(folder, ".gitignore"), spec.file);
  return path;
}

/**
 * One at a time until the store is made: with many processes in an empty file at once, it was damaged now and then. Whoever
 * comes later finds it whole.
 */
export function openOnce<Opened>(path: string, open: () => Opened): Opened {
  if (isMade(path)) return open();
  return underLock(path, () => {
    // Before SQLite does: it would make it readable for everybody, and gives its other files the rights of this one.
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
    return open();
  });
}

/**
 * Settings in the same folder are to be committed, so only the store is named, and all of its files: the database alone would leave out
 * what SQLite keeps beside it, and what was put aside.
 */
function ignoreStore(ignoreFile: string, store: string): void {
  const ignored = `${store}*`;
  const stats = lstatSync(ignoreFile, { throwIfNoEntry: false });
  if (stats === undefined) {
    makeIgnoreFile(ignoreFile, ignored);
    return;
  }
  if (!stats.isFile()) return;
  const text = readFileSync(ignoreFile, "utf8");
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (["*", ignored, `/${ignored}`].some((line) => lines.includes(line))) return;
  writeFileSync(ignoreFile, `${text === "" || text.endsWith("\n") ? "" : "\n"}${ignored}\n`, { flag: "a" });
}

function makeIgnoreFile(ignoreFile: string, ignored: string): void {
  try {
    writeFileSync(ignoreFile, `${ignored}\n.gitignore\n`, { flag: "wx" });
  } catch (error) {
    // Another process may have been faster.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
