import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { draftOf } from "@hookline/journal/program";

interface Replacement {
  readonly bytes: Buffer;
  /** The mode of the finished draft, which is private until then. */
  readonly modeOf: (draft: number) => number;
  /** Throws if the file must stay as it is. */
  readonly check?: () => void;
}

/** Replaces a file atomically: a program that opens it gets the old one or the new one, also after a power cut. */
export function replaceFile(path: string, { bytes, modeOf, check = () => {} }: Replacement): void {
  const draft = draftOf(path);
  try {
    writeDraft(draft, bytes, modeOf);
    check();
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function writeDraft(draft: string, bytes: Buffer, modeOf: Replacement["modeOf"]): void {
  const file = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(file, bytes);
    fchmodSync(file, modeOf(file));
    fsyncSync(file); // before the rename, or a power cut could leave an empty file
  } finally {
    closeSync(file);
  }
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
