import { Console } from "node:console";
import { writeSync } from "node:fs";

const ANSWERS = 1;

/**
 * Reserves standard output for answers; output of the program and its libraries goes to standard error. The real
 * `process.stdout` is never opened, so that its file descriptor stays blocking.
 */
export function keepOutputForAnswers(): void {
  Object.defineProperty(process, "stdout", { get: () => process.stderr, configurable: true });
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** Writes the whole line synchronously: an answer is sent before the next request is read. */
export function writeLine(line: string): void {
  let bytes = Buffer.from(`${line}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(write(bytes));
}

function write(bytes: Buffer): number {
  try {
    return writeSync(ANSWERS, bytes);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    // The descriptor was made non-blocking and the pipe is full: give the reader a moment.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
