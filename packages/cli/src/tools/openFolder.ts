import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { PATHS_OF_DESCRIPTORS, refuseIfMoved } from "./openRegularFile.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Works in a folder by its real path. Where the system allows it, goes through the open folder's descriptor, so that the work stays
 * in the folder even if it is renamed or replaced.
 */
export async function inFolder<Result>(
  workspace: Workspace,
  path: string,
  work: (path: string, folder: FileHandle) => Promise<Result>,
): Promise<Result> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await refuseIfMoved(workspace, path, folder);
    return await work(PATHS_OF_DESCRIPTORS ? `${PATHS_OF_DESCRIPTORS}/${folder.fd}` : path, folder);
  } finally {
    await folder.close();
  }
}
