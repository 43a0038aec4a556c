import { HooklineError } from "@hookline/engine";
import { errorText } from "@hookline/engine/program";
import { JournalError } from "../errors.ts";
import type { StoreSpec } from "../store/storeFile.ts";

export const JOURNAL: StoreSpec = { file: "journal.db", unusable };

/** The file that an error is about. */
interface Subject {
  readonly name: string;
  readonly kind: string;
  readonly ifDamaged: string;
}

const RECORDS: Subject = {
  name: "the journal",
  kind: "journal",
  ifDamaged: "`hookline doctor --fix` moves the damaged file aside and saves the readable part.",
};

/** Lost keys cannot be recreated. */
export const KEYS: Subject = {
  name: "the journal key store",
  kind: "journal key store",
  ifDamaged:
    "Restore it from a backup. Or `hookline doctor --fix` moves it aside and saves the readable keys: a journal whose key is lost continues with a new one, and its records so far can no longer be verified.",
};

type Words = string | ((subject: Subject) => string);

const HANGS = "Look for a process that hangs.";
const MAKE_SPACE = "Free some space; until then, nothing is recorded.";
const ifDamaged = (subject: Subject) => subject.ifDamaged;

/** By prefix of SQLite's and the system's error codes. */
const REASONS: readonly (readonly [code: string, what: (subject: Subject) => string, next?: Words])[] = [
  ["SQLITE_BUSY", ({ name }) => `another process has locked ${name} for too long`, HANGS],
  ["SQLITE_LOCKED", ({ name }) => `another process has locked ${name} for too long`, HANGS],
  ["SQLITE_READONLY", ({ name }) => `${name} is not writable`],
  ["SQLITE_PERM", ({ name }) => `opening ${name} is not permitted`],
  ["SQLITE_CANTOPEN", ({ name }) => `${name} cannot be opened`],
  ["SQLITE_FULL", ({ name }) => `there is no space left for ${name}`, MAKE_SPACE],
  ["SQLITE_IOERR", ({ name }) => `${name} cannot be read or written`],
  ["SQLITE_CORRUPT", ({ name }) => `${name} is damaged`, ifDamaged],
  ["SQLITE_NOTADB", ({ kind }) => `the file is not a ${kind}, or is damaged`, ifDamaged],
  ["EACCES", ({ name }) => `opening ${name} is not permitted`],
  ["EPERM", ({ name }) => `opening ${name} is not permitted`],
  ["EROFS", ({ name }) => `${name} is not writable`],
  ["ENOSPC", ({ name }) => `there is no space left for ${name}`, MAKE_SPACE],
];

/** Names the file, the problem, and what to do. */
export function journalError(file: string, error: unknown): HooklineError {
  return inWords(RECORDS, file, error);
}

/** The same for the key store. */
export function keysError(file: string, error: unknown): HooklineError {
  return inWords(KEYS, file, error);
}

function inWords(subject: Subject, file: string, error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const message = errorText(error);
  const code = codeOf(error);
  const [, what, next] = REASONS.find(([known]) => code.startsWith(known)) ?? [];
  const reason = what?.(subject) ?? `${subject.name} cannot be used`;
  const way = typeof next === "function" ? next(subject) : next;
  return unusable(file, `${reason} (${message})`, { cause: error, ...(way === undefined ? {} : { next: way }) });
}

/** We create tables and version together, so any other schema means damage. */
export function wrongForm(what: string): Error {
  return Object.assign(new Error(what), { code: "SQLITE_CORRUPT" });
}

/** Another program is writing. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** Also recognises errors that are already converted. */
export function isDamaged(error: unknown): boolean {
  if (error instanceof HooklineError) return isDamaged(error.cause);
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

function unusable(
  file: string,
  reason: string,
  more: { readonly next?: string; readonly cause?: unknown } = {},
): HooklineError {
  const what = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new JournalError({ code: "JOURNAL_UNUSABLE", where: { file }, what, ...more });
}

/** SQLite's messages for a schema that is not ours. */
const OTHER_FORM = /no such (table|column)|has no column named|table \w+ already exists/;

/** Errors while opening a database have no code. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (OTHER_FORM.test(error.message)) return "SQLITE_CORRUPT";
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  return /unable to open/i.test(error.message) ? "SQLITE_CANTOPEN" : "";
}
