import { fchownSync, mkdirSync, rmdirSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { existingFolder, type HostFile, isUnchanged, unusable } from "./hostFile.ts";
import { replaceFile } from "./replaceFile.ts";

const NEW_FILE_MODE = 0o644;
const NEW_FOLDER_MODE = 0o755;

/** Replaces a host's file atomically; null removes it. Throws if another program changed it since a person saw what would be written. */
export function writeHostFile(file: HostFile, bytes: Buffer | null): void {
  if (bytes === null) {
    assertUnchanged(file);
    rmSync(file.target, { force: true });
    return;
  }
  replaceFile(file.target, {
    bytes,
    modeOf: (draft) => (file.bytes === undefined ? NEW_FILE_MODE : keepOwner(draft, statSync(file.target))),
    check: () => assertUnchanged(file),
  });
}

/** Creates the folder of a file. Returns the folders that were not there, the outermost first. */
export function makeFolders(folder: string): readonly string[] {
  const existing = existingFolder(folder);
  if (existing === folder) return [];
  const above = makeFolders(dirname(folder));
  mkdirSync(folder, { mode: NEW_FOLDER_MODE });
  return [...above, folder];
}

/** Removes folders that are empty, the innermost first; those that hold something stay. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // it holds something else, or is gone
    }
  }
}

/** Returns the mode that the draft may have. */
function keepOwner(draft: number, { uid, gid, mode }: Stats): number {
  try {
    fchownSync(draft, uid, gid);
    return mode & 0o7777;
  } catch {
    return mode & 0o777; // only root may give a file away
  }
}

function assertUnchanged(file: HostFile): void {
  if (isUnchanged(file)) return;
  throw unusable(
    file.path,
    "another program changed it after it was shown",
    "Nothing was written to it; run the command again.",
  );
}
