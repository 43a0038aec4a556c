import { closeSync, constants, openSync } from "node:fs";
import { isatty } from "node:tty";
import { isInForeground } from "./processes.ts";

/** Whether a person can type to this process, even if all three streams lead elsewhere: jobs of cron, systemd and agents have no terminal. */
export function hasTerminal(): boolean {
  try {
    const terminal = openSync("/dev/tty", constants.O_RDONLY | constants.O_NOCTTY);
    try {
      return isatty(terminal) && isInForeground();
    } finally {
      closeSync(terminal);
    }
  } catch {
    return false;
  }
}
