import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";
import { outputFailed } from "./brokenOutput.ts";

/** A standard stream: its descriptor, and the stream that Node opens for it when that is first read. */
export interface StandardOutput {
  readonly fd: number;
  readonly isTTY: boolean;
  readonly stream: () => NodeJS.WriteStream;
}

/**
 * Writes to a standard stream in order. Node's stream loads its network code, a fifth of a short start, so files and pipes are written to
 * directly, until one has no room: the stream waits for it.
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

/** What could not be written yet. */
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

/** As `isatty` says, which is asked only where a terminal is possible: its module loads Node's network code as well. */
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
