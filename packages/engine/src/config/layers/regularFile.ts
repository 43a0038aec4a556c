import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Reads a regular file of a limited size. Throws for anything else, and never blocks on a pipe. */
export function readRegularFile(file: string, maxBytes: number): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error("this is not a regular file");
    if (stats.size > maxBytes) throw new Error(`the file has ${stats.size} bytes; the limit is ${maxBytes}`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
