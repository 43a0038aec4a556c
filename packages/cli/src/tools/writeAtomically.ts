import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { inFolder } from "./openFolder.ts";
import { type FileState, stateOfFile } from "./openRegularFile.ts";
import { ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

interface Write {
  readonly workspace: Workspace;
  /** A real path, resolved by the workspace. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** The state that the file must still have; undefined: it must not exist. */
  readonly expected: FileState | undefined;
}

/** Replaces a file atomically, even across a crash, and never overwrites a change by another program. */
export async function writeAtomically(write: Write): Promise<void> {
  try {
    await writeBeside(write);
  } catch (error) {
    if (error instanceof ToolFault || !(error instanceof Error)) throw error;
    const why = error.message.replace(/, \w+ '.*$/s, ""); // removes the system call and the temporary path
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
  // Create a private file with its mode: others must not be able to read it even for a moment.
  const draft = await open(path, "wx", old ? 0o600 : 0o666);
  try {
    await draft.writeFile(content);
    if (old) await keepOwnerAndMode(draft, old);
    await draft.sync(); // before the rename, or a power cut could leave an empty file
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
      () => false, // only root may change the owner
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
