import { type FileState, readRegularFile } from "./openRegularFile.ts";
import { ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

export const MAX_TEXT_BYTES = 10 * 1024 * 1024;

export interface TextFile {
  readonly text: string;
  readonly state: FileState;
}

/** A file as text that can be written back as it was; other files are refused. */
export async function readTextFile(workspace: Workspace, path: string): Promise<TextFile> {
  const { bytes, state } = await readRegularFile(workspace, path, {
    maxBytes: MAX_TEXT_BYTES,
    advice: "Change it with run_shell_command.",
  });
  const text = isBinary(bytes) ? undefined : decodeExactly(bytes);
  if (text === undefined) throw new ToolFault(`${workspace.show(path)} is not a text file in UTF-8.`);
  return { text, state };
}

/** No text of our time contains a NUL; nearly every other format has one near its start. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 64 * 1024).includes(0);
}

/** Undefined where a byte would be lost; a byte order mark stays in the text. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
