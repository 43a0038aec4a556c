import type { SeenFile } from "./seenFiles.ts";
import { ToolFault } from "./toolFault.ts";

export const MAX_TEXT_BYTES = 10 * 1024 * 1024;

/** The text of a file, if it can be written back as it was; other files are refused. */
export function textIn({ state, bytes }: SeenFile, shown: string): string {
  if (!state) throw new ToolFault(`${shown} does not exist.`);
  if (!bytes) {
    const most = `more than the ${MAX_TEXT_BYTES} that are read at once`;
    throw new ToolFault(`${shown} has ${state.size} bytes, ${most}. Change it with run_shell_command.`);
  }
  const text = isBinary(bytes) ? undefined : decodeExactly(bytes);
  if (text === undefined) throw new ToolFault(`${shown} is not a text file in UTF-8.`);
  return text;
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
