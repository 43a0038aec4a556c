import { UnusablePath } from "@hookline/journal/program";
import { ProgramError } from "../errors.ts";
import type { RunFolder } from "./runFolder.ts";

const MAKE_SPACE = "Free some space. The next call of an agent starts the daemon.";
const MAKE_OWN = "Move it away, or give it to yourself, then run `hookline daemon start`.";

/** What keeps the daemon from its own files; any other error is returned as it is. */
export function startError(run: RunFolder, error: unknown): unknown {
  if (error instanceof UnusablePath) return failed(error.path, error.message, { next: error.next, cause: error });
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "";
  const isSqlite = code.startsWith("SQLITE_") || /unable to open/i.test(message);
  if (!isSqlite && !/^E[A-Z]+$/.test(code)) return error;
  const isFull = code === "ENOSPC" || code === "EDQUOT" || code.startsWith("SQLITE_FULL");
  const [what, next] = isFull ? ["there is no space left", MAKE_SPACE] : [message, MAKE_OWN];
  return failed(isSqlite ? run.lock : run.folder, what, { next, cause: error });
}

function failed(file: string, why: string, more: { readonly next: string; readonly cause: unknown }): ProgramError {
  return new ProgramError({
    code: "DAEMON_FAILED",
    where: { file },
    what: `The daemon cannot start: ${why}.`,
    ...more,
  });
}
