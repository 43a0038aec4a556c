import { type BigIntStats, constants, existsSync } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { errorCode, ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

/** Detects that another program has changed a file. */
export type FileState = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mode" | "uid" | "gid">;

export interface FileContent {
  readonly bytes: Buffer;
  readonly state: FileState;
}

export class FileTooLarge extends ToolFault {}

interface Limit {
  readonly maxBytes: number;
  /** Advice for larger files. */
  readonly advice: string;
}

/** The content of a file of the workspace, by its real path. */
export async function readRegularFile(workspace: Workspace, path: string, limit: Limit): Promise<FileContent> {
  const file = await openRegularFile(workspace, path);
  try {
    const state = await file.stat({ bigint: true });
    if (state.size > limit.maxBytes) {
      throw new FileTooLarge(
        `${workspace.show(path)} has ${state.size} bytes, more than the limit of ${limit.maxBytes}. ${limit.advice}`,
      );
    }
    return { bytes: await file.readFile(), state };
  } finally {
    await file.close();
  }
}

/** The state of a regular file; undefined if nothing is there. Throws for anything else, which tools cannot use. */
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
  // Check first: opening a device or a pipe can have effects or block forever.
  if (!(await stateOfFile(path, shown))) throw new ToolFault(`${shown} does not exist.`);
  // The resolved path has no links: refuse a link that has replaced the file since, and do not block on a pipe.
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

/** Linux gives access to an open file through its descriptor; elsewhere we can only check the path again. */
export const PATHS_OF_DESCRIPTORS =
  process.platform === "linux" && existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

/** Refuses a file if a folder of its path has become a link since the check; an open file cannot change any more. */
export async function refuseIfMoved(workspace: Workspace, path: string, file: FileHandle): Promise<void> {
  const where = await pathOf(file, path);
  if (where !== path || !workspace.contains(path) || (!PATHS_OF_DESCRIPTORS && !workspace.isCurrent(path))) {
    throw new ToolFault(`${path} has been moved or replaced by a link. Nothing was read or written.`);
  }
}

async function pathOf(file: FileHandle, path: string): Promise<string | undefined> {
  if (PATHS_OF_DESCRIPTORS) return readlink(`${PATHS_OF_DESCRIPTORS}/${file.fd}`);
  const [opened, named] = await Promise.all([file.stat({ bigint: true }), lstat(path, { bigint: true })]);
  return opened.ino === named.ino && opened.dev === named.dev ? path : undefined;
}

function refuseUnlessRegular(state: BigIntStats, shown: string): void {
  if (state.isFile()) return;
  if (state.isDirectory())
    throw new ToolFault(`${shown} is a folder, not a file; use list_directory to see its content.`);
  throw new ToolFault(`${shown} is not a regular file (a pipe, a socket or a device).`);
}
