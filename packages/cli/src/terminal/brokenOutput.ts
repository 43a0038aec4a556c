import { writeSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { ExitCode } from "./exitCode.ts";

/** Ends the program when its output can no longer be written. That is not a bug of ours, so there is no stack. */
export function outputFailed(error: NodeJS.ErrnoException): void {
  // A terminal that was closed takes nothing any more; SIGHUP says what to do about that.
  if (error.code === "EIO") return;
  // A closed pipe (`| head`) is not an error.
  if (error.code === "EPIPE") process.exit(ExitCode.fine);
  tell(error);
  process.exit(ExitCode.failure);
}

/** In one line, where that can still be written. */
function tell({ errno = 0, message }: NodeJS.ErrnoException): void {
  const [, why = message] = getSystemErrorMap().get(errno) ?? [];
  try {
    writeSync(2, `✗ The output cannot be written: ${why}\n`);
  } catch {
    // the exit code says it
  }
}
