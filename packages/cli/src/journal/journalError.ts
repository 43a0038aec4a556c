import { HooklineError } from "@hookline/engine";
import type { StoreSpec } from "../store/storeFile.ts";

export const JOURNAL: StoreSpec = { file: "journal.db", unusable };

const DAMAGED = "`hookline doctor --fix` puts the damaged file aside and saves what can be read of it.";

/** By the first words of SQLite's and the system's codes. */
const REASONS: readonly (readonly [code: string, what: string, next?: string])[] = [
  ["SQLITE_BUSY", "another process has locked the journal for too long", "Look for a process that hangs."],
  ["SQLITE_LOCKED", "another process has locked the journal for too long", "Look for a process that hangs."],
  ["SQLITE_READONLY", "the journal may not be written to"],
  ["SQLITE_PERM", "the journal may not be opened"],
  ["SQLITE_CANTOPEN", "the journal cannot be opened"],
  ["SQLITE_FULL", "there is no space left for the journal", "Make space; what happens until then is not kept."],
  ["SQLITE_IOERR", "the journal cannot be read or written"],
  ["SQLITE_CORRUPT", "the journal is damaged", DAMAGED],
  ["SQLITE_NOTADB", "the file is no journal, or is damaged", DAMAGED],
  ["EACCES", "the journal may not be opened"],
  ["EPERM", "the journal may not be opened"],
  ["EROFS", "the journal may not be written to"],
  ["ENOSPC", "there is no space left for the journal", "Make space; what happens until then is not kept."],
];

/** Names the file, what is wrong with it, and the way out. */
export function journalError(file: string, error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const [, reason, next] = REASONS.find(([known]) => code.startsWith(known)) ?? [code, "the journal cannot be used"];
  return unusable(file, `${reason} (${message})`, { cause: error, ...(next === undefined ? {} : { next }) });
}

/** Somebody else is writing just now. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

function unusable(
  file: string,
  reason: string,
  more: { readonly next?: string; readonly cause?: unknown } = {},
): HooklineError {
  const what = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new HooklineError({ code: "JOURNAL_UNUSABLE", where: { file }, what, ...more });
}

/** What fails while a database is opened comes without a code. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  return /unable to open/i.test(error.message) ? "SQLITE_CANTOPEN" : "";
}
