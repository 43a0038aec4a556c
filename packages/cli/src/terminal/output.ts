import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";
import { outputFailed } from "./brokenOutput.ts";

/** A standard stream: its descriptor, and a function that makes Node open the stream. */
export interface StandardOutput {
  readonly fd: number;
  readonly isTTY: boolean;
  readonly stream: () => NodeJS.WriteStream;
}

/**
 * Writes to a standard stream in order. Opening Node's stream loads its network code, a fifth of a short start, so write to files
 * and pipes directly until one is full; then use the stream, which waits.
 */
export function outputTo({ fd, isTTY, stream: open }: StandardOutput): (text: string) => void {
  const openStream = () => open().on("error", outputFailed);
  let stream = isTTY ? openStream() : undefined;
  return (text) => {
    const rest = stream === undefined ? written(fd, Buffer.from(text)) : text;
    if (rest.length === 0) return;
    stream ??= openStream();
    stream.write(rest);
  };
}

/** Returns the bytes that could not be written yet. */
function written(fd: number, bytes: Buffer): Buffer {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
    return rest;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "EAGAIN") return rest;
    outputFailed(error);
    return Buffer.alloc(0);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}

/** Like `isatty`, but calls it only if a terminal is possible: its module loads Node's network code too. */
export function isTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    const isOther =
      process.platform !== "win32" && (!stats.isCharacterDevice() || stats.rdev === statSync(devNull).rdev);
    return !isOther && isatty(fd);
  } catch {
    return false;
  }
}
