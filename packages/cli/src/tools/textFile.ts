import type { SeenFile } from "./seenFiles.ts";
import { ToolFault } from "./toolFault.ts";

export const MAX_TEXT_BYTES = 10 * 1024 * 1024;

/** The text of a file. Refuses files that would not survive a round trip through text. */
export function textIn({ state, bytes }: SeenFile, shown: string): string {
  if (!state) throw new ToolFault(`${shown} does not exist.`);
  if (!bytes) {
    const most = `more than the limit of ${MAX_TEXT_BYTES}`;
    throw new ToolFault(`${shown} has ${state.size} bytes, ${most}. Change it with run_shell_command.`);
  }
  const text = isBinary(bytes) ? undefined : decodeExactly(bytes);
  if (text === undefined) throw new ToolFault(`${shown} is not a text file in UTF-8.`);
  return text;
}

/** A NUL byte near the start indicates a binary file; text never contains one. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 64 * 1024).includes(0);
}

/** Undefined if decoding would lose a byte; keeps a byte order mark. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
