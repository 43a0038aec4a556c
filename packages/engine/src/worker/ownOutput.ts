import { Console } from "node:console";
import { writeSync } from "node:fs";

const ANSWERS = 1;

/**
 * Standard output belongs to the answers; what the program and its libraries print goes to standard error. The real
 * `process.stdout` is never opened, so that its file descriptor stays a plain blocking one.
 */
export function keepOutputForAnswers(): void {
  Object.defineProperty(process, "stdout", { get: () => process.stderr, configurable: true });
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** Written at once and whole: an answer is on its way before the next request is looked at. */
export function writeLine(line: string): void {
  let bytes = Buffer.from(`${line}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(write(bytes));
}

function write(bytes: Buffer): number {
  try {
    return writeSync(ANSWERS, bytes);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    // Somebody made the descriptor non-blocking, and the pipe is full: give its reader a moment.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
