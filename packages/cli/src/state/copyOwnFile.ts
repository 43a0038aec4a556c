import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { openOwnFile } from "@hookline/journal/program";

const CHUNK_BYTES = 1024 ** 2;

/** Copies a regular file of this user to a new one. Throws if it is larger than expected. */
export function copyOwnFile(from: string, to: string, maxBytes: number): void {
  const { file, size } = openOwnFile(from, constants.O_RDONLY);
  try {
    if (size > maxBytes) throw new Error(`${from} has ${size} bytes; at most ${maxBytes} are copied`);
    const copy = openSync(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk))
        writeSync(copy, chunk, 0, length);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(file);
  }
}
