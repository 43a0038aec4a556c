import { writeSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { ExitCode } from "./exitCode.ts";

/** Ends the program when what it prints can no longer be written, which is no bug of ours and comes without a stack. */
export function endWithOutput(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A terminal that was closed takes nothing any more; SIGHUP says what to do about that.
      if (error.code === "EIO") return;
      // A reader that has seen enough (`| head`) is no failure of ours.
      if (error.code === "EPIPE") process.exit(ExitCode.fine);
      tell(error);
      process.exit(ExitCode.failure);
    });
  }
}

/** In one line, where that can still be written. */
function tell({ errno = 0, message }: NodeJS.ErrnoException): void {
  const [, why = message] = getSystemErrorMap().get(errno) ?? [];
  try {
    writeSync(process.stderr.fd, `✗ The output cannot be written: ${why}\n`);
  } catch {
    // the exit code says it
  }
}
