import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { threadId } from "node:worker_threads";

/** A store is made in milliseconds. Whoever has not done so after this, on the slowest of disks, is gone. */
const HELD_MS = 2_000;
const PAUSE_MS = 20;

/** Only one program at a time does this to a store. A lock that somebody left behind keeps nobody for long. */
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

/** By its age, whatever kind of file it is. A time that is still to come is none of a clock that can be relied on. */
export function isLeftBehind(lock: string, now: number): boolean {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  return stats !== undefined && Math.abs(now - stats.mtimeMs) > HELD_MS;
}

/** Moved before it is removed: of several that found it, one gets it; and what another took meanwhile is put back. */
export function removeLock(lock: string): void {
  const seen = identityOf(lock);
  const moved = `${lock}.${process.pid}-${threadId}`;
  try {
    renameSync(lock, moved);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return; // another was faster
    throw error;
  }
  if (identityOf(moved) === seen) rmSync(moved, { recursive: true, force: true });
  else renameSync(moved, lock);
}

/** What gives it back; undefined while another has it. */
function takeLock(lock: string): (() => void) | undefined {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return undefined;
    throw error;
  }
  const own = identityOf(lock);
  return () => {
    // Whoever took too long may have lost it to another.
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
