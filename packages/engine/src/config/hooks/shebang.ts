import { closeSync, constants, openSync, readSync } from "node:fs";

const LONGEST = 256;

/** The interpreter line of a script, as the kernel reads it; undefined if it has none. */
export function shebangOf(file: string): string | undefined {
  const [, line] = /^#![ \t]*([^\n\0]*)/.exec(headOf(file)) ?? [];
  return line?.trim();
}

/** The first bytes of a file; empty if it cannot be read. */
export function headOf(file: string): string {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(LONGEST);
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, LONGEST, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}
