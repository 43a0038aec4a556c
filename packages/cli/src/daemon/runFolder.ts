import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder, makeUserFolder } from "@hookline/journal/program";

/** The files through which the daemon and the native client find each other: `docs/decisions/021-the-client.md`. */
export interface RunFolder {
  readonly folder: string;
  /** Says where the socket is, if it is not in the folder: socketPlace.ts. */
  readonly pointer: string;
  readonly lock: string;
  readonly closed: string;
  readonly sessions: string;
  readonly seen: string;
  /** What the client decided alone. */
  readonly missed: string;
  /** Which of them are in the journal. */
  readonly journalled: string;
}

export function runFolder(homeDir: string): RunFolder {
  const folder = join(homeDir, ".hookline/run");
  const inRun = (name: string) => join(folder, name);
  return {
    folder,
    pointer: inRun("socket"),
    lock: inRun("daemon.lock"),
    closed: inRun("closed"),
    sessions: inRun("sessions.json"),
    seen: inRun("seen.json"),
    missed: inRun("missed"),
    journalled: inRun("journalled.json"),
  };
}

/** Creates it: only this user may enter. */
export function makeRunFolder(homeDir: string): RunFolder {
  makeUserFolder(homeDir);
  const run = runFolder(homeDir);
  makeOwnFolder(run.folder);
  return run;
}

/** Removes what clients that were killed left behind: a folder for each call. */
export function removeCallFolders({ folder }: RunFolder, { olderThanMs }: { readonly olderThanMs: number }): void {
  try {
    for (const name of readdirSync(folder).filter((name) => name.startsWith("call."))) {
      const path = join(folder, name);
      if (Date.now() - lstatSync(path).mtimeMs >= olderThanMs) rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Next time.
  }
}
