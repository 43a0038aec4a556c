import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { HooklineError } from "@hookline/engine";
import { linkedFileFault } from "../state/draft.ts";
import { UnusablePath } from "../state/ownFolder.ts";
import { makeStateFolder } from "../state/stateFolder.ts";
import { type StatePlace, statePath } from "../state/statePlace.ts";

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
    refuseStrangeStore(path);
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

/** Throws if a file of the store exists and is not a regular file of this user: a link, a pipe, a hard link elsewhere. */
export function refuseStrangeStore(path: string): void {
  for (const file of filesOf(path)) {
    const reason = linkedFileFault(file);
    if (reason !== undefined) throw new UnusablePath(file, reason, "Move it away.");
  }
}
