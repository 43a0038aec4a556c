import { HooklineError } from "@hookline/engine";
import { errorText } from "@hookline/engine/program";
import type { StoreSpec } from "@hookline/journal/program";
import { ProgramError } from "../../errors.ts";

const DAMAGED = "Nothing was deleted. Move the file away to start with an empty store, or restore a backup.";

/** Matched by prefix of SQLite's code, so `SQLITE_BUSY_SNAPSHOT` is busy too. */
const REASONS: readonly (readonly [code: string, what: string, next?: string])[] = [
  [
    "SQLITE_BUSY",
    "another process has locked the task store for too long",
    "Try again; if that does not help, look for a process that hangs.",
  ],
  ["SQLITE_LOCKED", "another process has locked the task store for too long"],
  ["SQLITE_READONLY", "the task store is read-only"],
  ["EACCES", "there is no permission to open the task store for writing"],
  ["EPERM", "there is no permission to open the task store for writing"],
  ["EROFS", "the task store is read-only"],
  ["ENOSPC", "there is no space left for the task store"],
  ["SQLITE_PERM", "there is no permission to open the task store"],
  ["SQLITE_CANTOPEN", "the task store cannot be opened"],
  ["SQLITE_FULL", "there is no space left for the task store", "Free some space and try again; nothing was changed."],
  ["SQLITE_IOERR", "the task store cannot be read or written"],
  ["SQLITE_CORRUPT", "the task store is damaged", DAMAGED],
  ["SQLITE_NOTADB", "the file is not a task store, or is damaged", DAMAGED],
];

/** Names the file, the problem, and what to do. */
export function storeError(file: string, error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const message = errorText(error);
  const code = codeOf(error, message);
  const [, reason, next] = REASONS.find(([known]) => code.startsWith(known)) ?? [code, "the task store cannot be used"];
  return unusable(file, `${reason} (${message})`, { cause: error, ...(next === undefined ? {} : { next }) });
}

/** The store's tables differ from those that hookline creates. */
export function damagedForm(file: string, fault: string): HooklineError {
  return unusable(file, `the task store is damaged (${fault})`, { next: DAMAGED });
}

/** Another process is writing. */
export function isBusy(error: unknown): boolean {
  return codeOf(error, "").startsWith("SQLITE_BUSY");
}

/** The store can be opened, but its content is invalid. */
export function damaged(file: string, cause: unknown): HooklineError {
  return unusable(file, "a task in the store cannot be read", { next: DAMAGED, cause });
}

export function unusable(
  file: string,
  reason: string,
  more: { readonly next?: string; readonly cause?: unknown } = {},
): HooklineError {
  const what = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new ProgramError({ code: "STORE_UNUSABLE", where: { file }, what, ...more });
}

function codeOf(error: unknown, message: string): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string" && error.code !== "")
    return error.code;
  // Errors while opening have no code.
  return /unable to open/i.test(message) ? "SQLITE_CANTOPEN" : "";
}

export const TASKS: StoreSpec = { file: "tasks.db", unusable };
