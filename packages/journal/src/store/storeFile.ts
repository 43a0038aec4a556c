import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { HooklineError } from "@hookline/engine";
import { underLock } from "../state/makingLock.ts";
import { refuseStrangeFile, UnusablePath } from "../state/ownFolder.ts";
import { makeStateFolder } from "../state/stateFolder.ts";
import { type StatePlace, statePath } from "../state/statePlace.ts";
import { isMade } from "./isMade.ts";

/** A database in the state of a project. */
export interface StoreSpec {
  /** `tasks.db` */
  readonly file: string;
  /** Says that it cannot be used. */
  readonly unusable: (path: string, reason: string, more: { readonly next: string }) => HooklineError;
}

export function storePath(place: StatePlace, { file }: StoreSpec): string {
  return join(statePath(place), file);
}

export function hasStore(place: StatePlace, spec: StoreSpec): boolean {
  return lstatSync(storePath(place, spec), { throwIfNoEntry: false }) !== undefined;
}

/** Makes room for a store, readable by its owner only; what is there already must be a file of ours. */
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

/** The database itself, and what SQLite keeps beside it. */
export function filesOf(path: string): readonly string[] {
  return ["", "-wal", "-shm"].map((end) => `${path}${end}`);
}

/**
 * One at a time until the store is made: with many processes in an empty file at once, it was damaged now and then. Later ones find it
 * whole.
 */
export function openOnce<Opened>(path: string, open: () => Opened): Opened {
  if (isMade(path)) return open();
  return underLock(path, () => {
    // Before SQLite does: it would make it readable for everybody, and gives its other files the rights of this one.
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
    return open();
  });
}
