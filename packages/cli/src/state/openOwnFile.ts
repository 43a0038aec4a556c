import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { fileFault, UnusablePath } from "./ownFolder.ts";

/** Opens a plain file of this user: never through a link, and never waiting for a pipe. */
export function openOwnFile(path: string, flags: number): { readonly file: number; readonly size: number } {
  const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  const stats = fstatSync(file);
  const fault = fileFault(stats);
  if (fault === undefined) return { file, size: stats.size };
  closeSync(file);
  throw new UnusablePath(path, fault, "Move it away.");
}

/** The text of such a file. Throws where it is larger than expected. */
export function readOwnFile(path: string, maxBytes: number): string {
  const { file, size } = openOwnFile(path, constants.O_RDONLY);
  try {
    if (size > maxBytes) throw new Error(`it has ${size} bytes, and at most ${maxBytes} are read`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
