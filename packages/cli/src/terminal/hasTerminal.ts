import { closeSync, constants, openSync } from "node:fs";
import { isatty } from "node:tty";
import { isInForeground } from "./processes.ts";

/** Whether this process has a controlling terminal, even if all three streams are redirected: jobs of cron, systemd and agents have none. */
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
