import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { threadId } from "node:worker_threads";

/**
 * Creating a store takes milliseconds. A process that still holds the lock after this time, even on the slowest disk,
 * is dead.
 */
const HELD_MS = 2_000;
const PAUSE_MS = 20;

/** Runs `work` under the creation lock of a store. Removes a stale lock first. */
export function underLock<Result>(path: string, work: () => Result): Result {
  const lock = lockOf(path);
  for (;;) {
    if (isLeftBehind(lock, Date.now())) removeLock(lock);
    const release = takeLock(lock);
    if (!release) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      continue;
    }
    try {
      return work();
    } finally {
      release();
    }
  }
}

export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Stale by mtime, whatever its file type. A timestamp in the future means a broken clock: treat it as stale, too. */
export function isLeftBehind(lock: string, now: number): boolean {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  return stats !== undefined && Math.abs(now - stats.mtimeMs) > HELD_MS;
}

/**
 * Rename before removing: only one of several processes wins the rename. Put the lock back if another process took it
 * in between.
 */
export function removeLock(lock: string): void {
  const seen = identityOf(lock);
  const moved = `${lock}.${process.pid}-${threadId}`;
  try {
    renameSync(lock, moved);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return; // another process was faster
    throw error;
  }
  if (identityOf(moved) === seen) rmSync(moved, { recursive: true, force: true });
  else renameSync(moved, lock);
}

/** Returns the release function; undefined while another process holds the lock. */
function takeLock(lock: string): (() => void) | undefined {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return undefined;
    throw error;
  }
  const own = identityOf(lock);
  return () => {
    // A process that held the lock too long may have lost it to another.
    if (identityOf(lock) === own) rmSync(lock, { recursive: true, force: true });
  };
}

function identityOf(lock: string): string | undefined {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.mtimeMs}`;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
