import { closeSync, openSync } from "node:fs";

/** Whether somebody sits at a terminal, even if all three streams lead elsewhere: jobs of cron and systemd have none. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
