import { type BigIntStats, constants, existsSync } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { errorCode, ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

/** Enough to see that somebody else has changed a file. */
export type FileState = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mode" | "uid" | "gid">;

export interface FileContent {
  readonly bytes: Buffer;
  readonly state: FileState;
}

export class FileTooLarge extends ToolFault {}

interface Limit {
  readonly maxBytes: number;
  /** What to do instead with a file that is larger. */
  readonly advice: string;
}

/** The content of a file of the workspace, by its real path. */
export async function readRegularFile(workspace: Workspace, path: string, limit: Limit): Promise<FileContent> {
  const file = await openRegularFile(workspace, path);
  try {
    const state = await file.stat({ bigint: true });
    if (state.size > limit.maxBytes) {
      throw new FileTooLarge(
        `${workspace.show(path)} has ${state.size} bytes, more than the ${limit.maxBytes} that are read at once. ${limit.advice}`,
      );
    }
    return { bytes: await file.readFile(), state };
  } finally {
    await file.close();
  }
}

/** What is at a path: nothing, a regular file, or something that a tool cannot use, which is thrown. */
export async function stateOfFile(path: string, shown: string): Promise<FileState | undefined> {
  const state = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ENOTDIR") throw new ToolFault(`A part of ${shown} is a file, not a folder.`);
    throw error;
  });
  if (state) refuseUnlessRegular(state, shown);
  return state;
}

async function openRegularFile(workspace: Workspace, path: string): Promise<FileHandle> {
  const shown = workspace.show(path);
  // First, since to open a device or a pipe can have effects, or never end.
  if (!(await stateOfFile(path, shown))) throw new ToolFault(`${shown} does not exist.`);
  // The path has no links in it; if its end is one now, it was put there since. Nor may it have become a pipe that blocks.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await refuseIfMoved(workspace, path, file);
    refuseUnlessRegular(await file.stat({ bigint: true }), shown);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Linux says what an open file is really called, and reaches it by that number; elsewhere we can only look twice. */
export const PATHS_OF_DESCRIPTORS =
  process.platform === "linux" && existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

/** A folder on the way may have become a link since the path was checked; what is open cannot change any more. */
export async function refuseIfMoved(workspace: Workspace, path: string, file: FileHandle): Promise<void> {
  const where = await pathOf(file, path);
  if (where !== path || !workspace.contains(path) || (!PATHS_OF_DESCRIPTORS && !workspace.isCurrent(path))) {
    throw new ToolFault(`${path} has been moved or linked elsewhere meanwhile. Nothing was read or written.`);
  }
}

async function pathOf(file: FileHandle, path: string): Promise<string | undefined> {
  if (PATHS_OF_DESCRIPTORS) return readlink(`${PATHS_OF_DESCRIPTORS}/${file.fd}`);
  const [opened, named] = await Promise.all([file.stat({ bigint: true }), lstat(path, { bigint: true })]);
  return opened.ino === named.ino && opened.dev === named.dev ? path : undefined;
}

function refuseUnlessRegular(state: BigIntStats, shown: string): void {
  if (state.isFile()) return;
  if (state.isDirectory()) throw new ToolFault(`${shown} is a folder, not a file; list_directory shows what is in it.`);
  throw new ToolFault(`${shown} is not a regular file (a pipe, a socket or a device); it is left alone.`);
}
