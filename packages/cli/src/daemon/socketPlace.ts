import { lstatSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { readOwnFile, replaceOwnFile } from "@hookline/journal/program";
import type { RunFolder } from "./runFolder.ts";

/** Addresses of sockets hold about a hundred bytes, and the client takes no longer one. */
const LONGEST_PATH = 99;
const NAME = "daemon.sock";
/** Not os.tmpdir(): TMPDIR differs between an agent and a terminal, and a repository may have set it. */
const SHORT_FOLDER = "/tmp/hookline-";

/** Where the daemon listens, if one does; undefined: none has run yet. The native client looks in the same places. */
export function findSocket(run: RunFolder): string | undefined {
  const near = join(run.folder, NAME);
  return fits(near) ? near : pointedTo(run);
}

/** For the holder of the daemon's lock. Where the home folder has a long path, the socket gets a folder elsewhere, and `run/socket` says where. */
export function placeSocket(run: RunFolder): string {
  const known = findSocket(run);
  if (known !== undefined && dirname(known) === run.folder) rmSync(run.pointer, { force: true });
  if (known !== undefined) return known;
  const socket = join(mkdtempSync(SHORT_FOLDER), NAME);
  replaceOwnFile(run.pointer, `${socket}\n`);
  return socket;
}

/** For the holder of the daemon's lock. */
export function removeSocket(run: RunFolder, socket: string): void {
  rmSync(socket, { force: true });
  if (dirname(socket) === run.folder) return;
  rmSync(run.pointer, { force: true });
  try {
    rmdirSync(dirname(socket));
  } catch {
    // Something else is in it.
  }
}

function pointedTo({ pointer }: RunFolder): string | undefined {
  try {
    const path = readOwnFile(pointer, LONGEST_PATH + 1).replace(/\n$/, "");
    return isAbsolute(path) && fits(path) && !/[\n\0]/.test(path) && isOwnFolder(dirname(path)) ? path : undefined;
  } catch {
    return undefined; // not there yet, or not ours
  }
}

/** Only this user may enter it: another one could listen there, or replace the socket. */
function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o777) === 0o700;
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= LONGEST_PATH;
}
