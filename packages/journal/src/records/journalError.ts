import { HooklineError } from "@hookline/engine";
import { JournalError } from "../errors.ts";
import type { StoreSpec } from "../store/storeFile.ts";

export const JOURNAL: StoreSpec = { file: "journal.db", unusable };

/** What is told apart when something is wrong. */
interface Subject {
  readonly name: string;
  readonly kind: string;
  readonly ifDamaged: string;
}

const RECORDS: Subject = {
  name: "the journal",
  kind: "journal",
  ifDamaged: "`hookline doctor --fix` puts the damaged file aside and saves what can be read of it.",
};

/** What is lost of them cannot be made again. */
export const KEYS: Subject = {
  name: "the store of journals' keys",
  kind: "store of keys",
  ifDamaged:
    "Restore it from a copy. Or `hookline doctor --fix` puts it aside and saves the keys that can be read: a journal whose key is lost goes on with a new one, and what it has until now can no longer be verified.",
};

type Words = string | ((subject: Subject) => string);

const HANGS = "Look for a process that hangs.";
const MAKE_SPACE = "Make space; what happens until then is not kept.";
const ifDamaged = (subject: Subject) => subject.ifDamaged;

/** By the first words of SQLite's and the system's codes. */
const REASONS: readonly (readonly [code: string, what: (subject: Subject) => string, next?: Words])[] = [
  ["SQLITE_BUSY", ({ name }) => `another process has locked ${name} for too long`, HANGS],
  ["SQLITE_LOCKED", ({ name }) => `another process has locked ${name} for too long`, HANGS],
  ["SQLITE_READONLY", ({ name }) => `${name} may not be written to`],
  ["SQLITE_PERM", ({ name }) => `${name} may not be opened`],
  ["SQLITE_CANTOPEN", ({ name }) => `${name} cannot be opened`],
  ["SQLITE_FULL", ({ name }) => `there is no space left for ${name}`, MAKE_SPACE],
  ["SQLITE_IOERR", ({ name }) => `${name} cannot be read or written`],
  ["SQLITE_CORRUPT", ({ name }) => `${name} is damaged`, ifDamaged],
  ["SQLITE_NOTADB", ({ kind }) => `the file is no ${kind}, or is damaged`, ifDamaged],
  ["EACCES", ({ name }) => `${name} may not be opened`],
  ["EPERM", ({ name }) => `${name} may not be opened`],
  ["EROFS", ({ name }) => `${name} may not be written to`],
  ["ENOSPC", ({ name }) => `there is no space left for ${name}`, MAKE_SPACE],
];

/** Names the file, what is wrong with it, and the way out. */
export function journalError(file: string, error: unknown): HooklineError {
  return inWords(RECORDS, file, error);
}

/** The same for the file with the keys of all journals. */
export function keysError(file: string, error: unknown): HooklineError {
  return inWords(KEYS, file, error);
}

function inWords(subject: Subject, file: string, error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const [, what, next] = REASONS.find(([known]) => code.startsWith(known)) ?? [];
  const reason = what?.(subject) ?? `${subject.name} cannot be used`;
  const way = typeof next === "function" ? next(subject) : next;
  return unusable(file, `${reason} (${message})`, { cause: error, ...(way === undefined ? {} : { next: way }) });
}

/** The tables and the version are made together, and by us: another form is damage. */
export function wrongForm(what: string): Error {
  return Object.assign(new Error(what), { code: "SQLITE_CORRUPT" });
}

/** Another program is writing just now. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** Also if it was put into words already. */
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

/** As SQLite says that a table or a column is not what we made it. */
const OTHER_FORM = /no such (table|column)|has no column named|table \w+ already exists/;

/** What fails while a database is opened comes without a code. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (OTHER_FORM.test(error.message)) return "SQLITE_CORRUPT";
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  return /unable to open/i.test(error.message) ? "SQLITE_CANTOPEN" : "";
}
