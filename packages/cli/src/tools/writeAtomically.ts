import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { inFolder } from "./openFolder.ts";
import { type FileState, stateOfFile } from "./openRegularFile.ts";
import { ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

interface Write {
  readonly workspace: Workspace;
  /** Real, as the workspace resolved it. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** What must still be there; undefined: nothing. */
  readonly expected: FileState | undefined;
}

/** The file has its old content or all of the new one, whatever happens, and a change by somebody else is not overwritten. */
export async function writeAtomically(write: Write): Promise<void> {
  try {
    await writeBeside(write);
  } catch (error) {
    if (error instanceof ToolFault || !(error instanceof Error)) throw error;
    const why = error.message.replace(/, \w+ '.*$/s, ""); // the system call and a path that nobody knows
    throw new ToolFault(`${write.workspace.show(write.path)} cannot be written: ${why}.`, { cause: error });
  }
}

async function writeBeside({ workspace, path, content, expected }: Write): Promise<void> {
  const shown = workspace.show(path);
  await mkdir(dirname(path), { recursive: true });
  await inFolder(workspace, dirname(path), async (folderPath, folder) => {
    const target = join(folderPath, basename(path));
    const draft = join(folderPath, `.hookline-${randomUUID()}.tmp`);
    try {
      await writeDraft(draft, content, expected);
      refuseIfChanged(await stateOfFile(target, shown), expected, shown);
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await folder.sync();
  });
}

async function writeDraft(path: string, content: string | Uint8Array, old: FileState | undefined): Promise<void> {
  // A private file is never readable by others, not even for the moment before its mode is set.
  const draft = await open(path, "wx", old ? 0o600 : 0o666);
  try {
    await draft.writeFile(content);
    if (old) await keepOwnerAndMode(draft, old);
    await draft.sync(); // before the rename, else a power cut can leave the new name with no content
  } finally {
    await draft.close();
  }
}

async function keepOwnerAndMode(draft: FileHandle, old: FileState): Promise<void> {
  const own = await draft.stat({ bigint: true });
  let keptOwner = own.uid === old.uid && own.gid === old.gid;
  if (!keptOwner) {
    keptOwner = await draft.chown(Number(old.uid), Number(old.gid)).then(
      () => true,
      () => false, // only root may give files away
    );
  }
  await draft.chmod(Number(old.mode) & (keptOwner ? 0o7777 : 0o777));
}

function refuseIfChanged(now: FileState | undefined, expected: FileState | undefined, shown: string): void {
  if (now === undefined && expected === undefined) return;
  const same = now && expected && STATE.every((field) => now[field] === expected[field]);
  if (!same)
    throw new ToolFault(
      `${shown} was changed by another program since it was read. Nothing was written; read it again.`,
    );
}

const STATE = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const;
