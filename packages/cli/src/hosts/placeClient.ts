import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder, makeUserFolder } from "@hookline/journal/program";
import { removeCallFolders, runFolder } from "../daemon/runFolder.ts";
import { clientFiles } from "./clientFiles.ts";
import type { ProgramPlace } from "./programPlace.ts";
import { replaceFile } from "./replaceFile.ts";
import { removeFolders } from "./writeHostFile.ts";

const PROGRAM_MODE = 0o700;
const FILE_MODE = 0o600;

/** Whether the client and the command line of the daemon are in place as they must be. */
export function isPlaced(homeDir: string, place: ProgramPlace): boolean {
  return contentsOf(homeDir, place).every(({ path, bytes, mode }) => isSame(path, bytes, mode));
}

/** Puts the client into the user's folder, and what it needs to start the daemon. Returns the folders that were not there before. */
export function placeClient(homeDir: string, place: ProgramPlace): readonly string[] {
  const { binFolder, runFolder: run } = clientFiles(homeDir);
  const folders = [join(homeDir, ".hookline"), binFolder, run];
  const made = folders.filter((folder) => lstatSync(folder, { throwIfNoEntry: false }) === undefined);
  makeUserFolder(homeDir);
  for (const folder of [binFolder, run]) makeOwnFolder(folder);
  for (const { path, bytes, mode } of contentsOf(homeDir, place)) {
    // A client that runs keeps its own file.
    if (!isSame(path, bytes, mode)) replaceFile(path, { bytes, modeOf: () => mode });
  }
  return made;
}

interface RemoveOptions {
  /** The folders that it was the reason for; those that hold something else stay. */
  readonly made: readonly string[];
  /** A daemon still needs what it wrote. */
  readonly keepsDaemon: boolean;
}

/** Removes the client and what it reads. */
export function removeClient(homeDir: string, { made, keepsDaemon }: RemoveOptions): void {
  const { program, daemonStart, others } = clientFiles(homeDir);
  for (const file of [program, daemonStart, ...(keepsDaemon ? [] : others)]) rmSync(file, { force: true });
  removeCallFolders(runFolder(homeDir), { olderThanMs: 0 });
  removeFolders(made);
}

interface Content {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

function contentsOf(homeDir: string, place: ProgramPlace): readonly Content[] {
  const { node, script } = place;
  const { program, daemonStart } = clientFiles(homeDir);
  const words = [node, script, "daemon", "run", "--home", homeDir];
  return [
    { path: program, bytes: place.client.bytes({ homeDir, node, script }), mode: PROGRAM_MODE },
    { path: daemonStart, bytes: Buffer.from(words.map((word) => `${word}\0`).join("")), mode: FILE_MODE },
  ];
}

function isSame(path: string, bytes: Buffer, mode: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return (
    stats?.isFile() === true &&
    (stats.mode & 0o777) === mode &&
    stats.size === bytes.length &&
    readFileSync(path).equals(bytes)
  );
}
