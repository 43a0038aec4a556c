import { type FileState, readRegularFile, stateOfFile } from "./openRegularFile.ts";
import { MAX_TEXT_BYTES } from "./textFile.ts";
import type { Workspace } from "./workspace.ts";

export interface SeenFile {
  /** Undefined where there is no file. */
  readonly state: FileState | undefined;
  /** Undefined where there is none, or more than can be shown. */
  readonly bytes: Buffer | undefined;
}

/** The files of one call, each looked at once: an edit is made on the content that was shown, or not at all. */
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
