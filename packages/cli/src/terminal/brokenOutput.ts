import { writeSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { ExitCode } from "./exitCode.ts";

/** Ends the program if it can no longer write its output. Prints no stack, because this is not a bug of ours. */
export function outputFailed(error: NodeJS.ErrnoException): void {
  // The terminal was closed; the handler of SIGHUP deals with that.
  if (error.code === "EIO") return;
  // A closed pipe (`| head`) is not an error.
  if (error.code === "EPIPE") process.exit(ExitCode.ok);
  tell(error);
  process.exit(ExitCode.failure);
}

/** Writes one line to standard error, if possible. */
function tell({ errno = 0, message }: NodeJS.ErrnoException): void {
  const [, why = message] = getSystemErrorMap().get(errno) ?? [];
  try {
    writeSync(2, `✗ The output cannot be written: ${why}\n`);
  } catch {
    // The exit code reports it.
  }
}
