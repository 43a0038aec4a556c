import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeOwnFolder, makeUserFolder, replaceOwnFile } from "@hookline/journal/program";

/** The files through which the daemon and the native client find each other: `docs/decisions/021-the-client.md`. */
export interface RunFolder {
  readonly folder: string;
  readonly socket: string;
  readonly lock: string;
  readonly closed: string;
  readonly sessions: string;
  readonly seen: string;
  /** What the client decided alone. */
  readonly missed: string;
}

/** Addresses of sockets hold about a hundred bytes, and the client takes no longer one. */
const LONGEST_SOCKET_PATH = 99;

export function runFolder(homeDir: string): RunFolder {
  const folder = join(homeDir, ".hookline/run");
  const inRun = (name: string) => join(folder, name);
  const lock = inRun("daemon.lock");
  return {
    folder,
    lock,
    socket: socketFor(folder),
    closed: inRun("closed"),
    sessions: inRun("sessions.json"),
    seen: inRun("seen.json"),
    missed: inRun("missed"),
  };
}

/** Creates it: only this user may enter. */
export function makeRunFolder(homeDir: string): RunFolder {
  makeUserFolder(homeDir);
  const run = runFolder(homeDir);
  makeOwnFolder(run.folder);
  const pointer = join(run.folder, "socket");
  if (dirname(run.socket) === run.folder) rmSync(pointer, { force: true });
  else {
    makeOwnFolder(dirname(run.socket));
    replaceOwnFile(pointer, `${run.socket}\n`);
  }
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

/** Where the home folder has a long path, the socket is in a folder of its own, and `run/socket` says where. */
function socketFor(folder: string): string {
  const socket = join(folder, "daemon.sock");
  if (Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH) return socket;
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const elsewhere = join(tmpdir(), `hookline-${process.getuid?.() ?? 0}-${name}`, "daemon.sock");
  if (Buffer.byteLength(elsewhere) <= LONGEST_SOCKET_PATH) return elsewhere;
  throw new Error(`Neither ${socket} nor ${elsewhere} is short enough for a socket. Set TMPDIR to a shorter folder.`);
}
