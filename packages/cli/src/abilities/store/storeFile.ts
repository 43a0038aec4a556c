import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { unusable } from "./storeError.ts";

const FOLDER = ".hookline";
const FILE = "tasks.db";
/** The database itself, and what SQLite keeps beside it. */
const FILES = [FILE, `${FILE}-wal`, `${FILE}-shm`];
const IGNORED = `${FILE}*`;

export function storePath(projectRoot: string): string {
  return join(projectRoot, FOLDER, FILE);
}

export function hasStore(projectRoot: string): boolean {
  return lstatSync(storePath(projectRoot), { throwIfNoEntry: false }) !== undefined;
}

/**
 * Makes room for the store: really inside of the project, whatever links a repository brings along, readable by its owner
 * only, and out of sight for git.
 */
export function makeStoreFile(projectRoot: string): string {
  const path = storePath(projectRoot);
  const folder = join(projectRoot, FOLDER);
  mkdirSync(folder, { recursive: true });
  if (realpathSync(folder) !== join(realpathSync(projectRoot), FOLDER)) {
    throw unusable(path, "the folder .hookline is a link to another place", {
      next: "Make it a folder of the project.",
    });
  }
  for (const name of FILES) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats && !stats.isFile())
      throw unusable(join(folder, name), "this is no regular file", { next: "Move it away." });
  }
  ignoreStore(join(folder, ".gitignore"));
  return path;
}

const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

/**
 * One at a time until the store is made: with many processes in an empty file at once, it was damaged now and then. Whoever
 * comes later finds it whole.
 */
export function openOnce<Opened>(path: string, open: () => Opened): Opened {
  const lock = `${path}.lock`;
  if (isMade(path, lock)) return open();
  const until = Date.now() + PATIENCE_MS;
  while (!takeLock(lock)) {
    if (Date.now() > until) rmSync(lock, { recursive: true, force: true }); // whoever took it is gone
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  try {
    // Before SQLite does: it would make it readable for everybody, and gives its other files the rights of this one.
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
    return open();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isMade(path: string, lock: string): boolean {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 && lstatSync(lock, { throwIfNoEntry: false }) === undefined;
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Settings in the same folder are to be committed, so only the store is named. */
function ignoreStore(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    makeIgnoreFile(file);
    return;
  }
  if (!stats.isFile()) return;
  const text = readFileSync(file, "utf8");
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines.includes("*") || lines.some((line) => line.replace(/^\//, "").startsWith(FILE))) return;
  writeFileSync(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${IGNORED}\n`, { flag: "a" });
}

function makeIgnoreFile(file: string): void {
  try {
    writeFileSync(file, `${IGNORED}\n.gitignore\n`, { flag: "wx" });
  } catch (error) {
    // Another process may have been faster.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
