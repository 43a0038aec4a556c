import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { HooklineError } from "@hookline/engine";
import { underLock } from "../state/makingLock.ts";
import { refuseStrangeFile, UnusablePath } from "../state/ownFolder.ts";
import { makeStateFolder } from "../state/stateFolder.ts";
import { type StatePlace, statePath } from "../state/statePlace.ts";
import { isMade } from "./isMade.ts";

/** A database in the state folder of a project. */
export interface StoreSpec {
  /** `tasks.db` */
  readonly file: string;
  /** Creates the error for a store that cannot be used. */
  readonly unusable: (path: string, reason: string, more: { readonly next: string }) => HooklineError;
}

export function storePath(place: StatePlace, { file }: StoreSpec): string {
  return join(statePath(place), file);
}

export function hasStore(place: StatePlace, spec: StoreSpec): boolean {
  return lstatSync(storePath(place, spec), { throwIfNoEntry: false }) !== undefined;
}

/** Creates the state folder, readable by its owner only. Files that already exist must be ours. */
export function makeStoreFile(place: StatePlace, spec: StoreSpec): string {
  try {
    makeStateFolder(place);
    const path = storePath(place, spec);
    for (const file of filesOf(path)) refuseStrangeFile(file);
    return path;
  } catch (error) {
    if (!(error instanceof UnusablePath)) throw error;
    throw spec.unusable(error.path, error.message, error);
  }
}

/** The database and the files that SQLite keeps beside it. */
export function filesOf(path: string): readonly string[] {
  return ["", "-wal", "-shm"].map((end) => `${path}${end}`);
}

/**
 * Locks until the store is created: many processes opening an empty file at once sometimes damaged it. Later processes
 * find it complete.
 */
export function openOnce<Opened>(path: string, open: () => Opened): Opened {
  if (isMade(path)) return open();
  return underLock(path, () => {
    // Create the file before SQLite does: SQLite would make it world-readable, and copies its mode to the files beside
    // it.
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
    return open();
  });
}
