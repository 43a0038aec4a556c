import { type FileState, readRegularFile, stateOfFile } from "./openRegularFile.ts";
import { MAX_TEXT_BYTES } from "./textFile.ts";
import type { Workspace } from "./workspace.ts";

export interface SeenFile {
  /** Undefined if there is no file. */
  readonly state: FileState | undefined;
  /** Undefined if there is no file, or if it is too large. */
  readonly bytes: Buffer | undefined;
}

/** Reads each file of a call once, so that an edit applies to exactly the content that was shown. */
export class SeenFiles {
  readonly #files = new Map<string, Promise<SeenFile>>();

  look(workspace: Workspace, path: string): Promise<SeenFile> {
    const known = this.#files.get(path);
    if (known) return known;
    const seen = lookAt(workspace, path);
    this.#files.set(path, seen);
    return seen;
  }
}

async function lookAt(workspace: Workspace, path: string): Promise<SeenFile> {
  const state = await stateOfFile(path, workspace.show(path));
  if (!state || state.size > MAX_TEXT_BYTES) return { state, bytes: undefined };
  return readRegularFile(workspace, path, { maxBytes: MAX_TEXT_BYTES, advice: "" });
}
