import { HooklineError } from "@hookline/engine";
import type { StoreSpec } from "@hookline/journal/program";
import { ProgramError } from "../../errors.ts";

const DAMAGED = "Nothing was deleted. Move the file away to begin with an empty store, or restore it from a copy.";

/** By the first words of SQLite's code: `SQLITE_BUSY_SNAPSHOT` is busy, too. */
const REASONS: readonly (readonly [code: string, what: string, next?: string])[] = [
  [
    "SQLITE_BUSY",
    "another process has locked the store of tasks for too long",
    "Try again; if it stays so, look for a process that hangs.",
  ],
  ["SQLITE_LOCKED", "another process has locked the store of tasks for too long"],
  ["SQLITE_READONLY", "the store of tasks may not be written to"],
  ["EACCES", "the store of tasks may not be opened for writing"],
  ["EPERM", "the store of tasks may not be opened for writing"],
  ["EROFS", "the store of tasks may not be written to"],
  ["ENOSPC", "there is no space left for the store of tasks"],
  ["SQLITE_PERM", "the store of tasks may not be opened"],
  ["SQLITE_CANTOPEN", "the store of tasks cannot be opened"],
  ["SQLITE_FULL", "there is no space left for the store of tasks", "Make space, and try again; nothing was changed."],
  ["SQLITE_IOERR", "the store of tasks cannot be read or written"],
  ["SQLITE_CORRUPT", "the store of tasks is damaged", DAMAGED],
  ["SQLITE_NOTADB", "the file is no store of tasks, or is damaged", DAMAGED],
];

/** Names the file, the problem, and what to do. */
export function storeError(file: string, error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error, message);
  const [, reason, next] = REASONS.find(([known]) => code.startsWith(known)) ?? [
    code,
    "the store of tasks cannot be used",
  ];
  return unusable(file, `${reason} (${message})`, { cause: error, ...(next === undefined ? {} : { next }) });
}

/** Its tables are not those that hookline makes. */
export function damagedForm(file: string, fault: string): HooklineError {
  return unusable(file, `the store of tasks is damaged (${fault})`, { next: DAMAGED });
}

/** Another program is writing. */
export function isBusy(error: unknown): boolean {
  return codeOf(error, "").startsWith("SQLITE_BUSY");
}

/** It can be opened, and what is in it makes no sense. */
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
  // What fails while it is opened comes without a code.
  return /unable to open/i.test(message) ? "SQLITE_CANTOPEN" : "";
}

export const TASKS: StoreSpec = { file: "tasks.db", unusable };
