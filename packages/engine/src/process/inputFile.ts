import { closeSync, constants, openSync, writeSync } from "node:fs";

const MEMORY = "/dev/shm";
/** Linux only, and missing from Node's constants: an unnamed file that disappears with its last descriptor. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * The input as an unnamed file in memory, positioned at its start: cheaper than a pipe (by half for a megabyte), never
 * on a disk, and independent of our event loop. Null if that is not possible; the caller then uses a pipe.
 */
export function openInputFile(input: Uint8Array): number | null {
  if (process.platform !== "linux") return null;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(MEMORY, O_TMPFILE | constants.O_RDWR, 0o600);
    // At an explicit position, so that the descriptor's own position stays at the start.
    if (writeSync(descriptor, input, 0, input.length, 0) === input.length) return descriptor;
  } catch {
    // No such file system, or it is full.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return null;
}
