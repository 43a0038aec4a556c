import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { ADVICE, HooklineError } from "../../errors.ts";
import { lookedUpOnce } from "../../process/sameAnswers.ts";
import { quoteForShell, withValues } from "../../process/shellCommand.ts";
import type { ShellWord } from "../../process/shellWords.ts";
import { contentFault } from "../values/fileContent.ts";
import type { Lookup, Target } from "./hookDeclaration.ts";
import { inlineCode } from "./interpreters.ts";
import { LOADERS } from "./loaderVariables.ts";
import { shebangOf } from "./shebang.ts";
import { taskRunners } from "./taskRunners.ts";

export interface CommandFiles {
  /** Project files that the command names: trust covers their content. */
  readonly files: readonly string[];
  /** Words that look like further code. Errs on the side of one word too many. */
  readonly uncovered: readonly string[];
}

/** After these, a relative path means another file. */
const CHANGED_FOLDER = /(?:^|[\s;&|(])(?:cd|pushd|-C|--chdir)(?:[ \t]+|=)([^\s;&|<>()'"]+|'[^']*'|"[^"]*")/g;
/** `$(git rev-parse --show-toplevel)/hooks/x.sh`: only the shell knows the folder; usually it is the project. */
const BEHIND_SUBSTITUTION = /[)`]\/([^\s;&|<>()'"`]+)/g;
const SOURCED = /(?:^|[\s;&|(])(?:\.|source)[ \t]+([^\s;&|<>()'"]+)/g;
const LOADING = new RegExp(`(?:^|[\\s;&|(])((?:${LOADERS}|PATH)=(?:[^\\s'"]|'[^']*'|"[^"]*")+)`, "g");
/** Targets of output, which the command does not run. */
const WRITTEN = />{1,2}[&|]?[ \t]*[^\s;&|<>()]+|(?<=^|[\s;&|(])(?:tee|touch)(?:[ \t]+[^\s;&|<>()]+)+/g;
/** System folders: their files are not part of the fingerprint. */
const SYSTEM_FOLDERS = /^\/(usr|bin|sbin|lib|dev|proc|etc)\//;
/** Limits how many files a project can make us look for. */
const MOST_WORDS = 2_000;
const MOST_FOLDERS = 10;

interface CommandText {
  /** The command with its program and script blanked out. */
  readonly text: string;
  readonly known?: readonly ShellWord[];
  /** The original text: a variable's value may contain spaces. */
  readonly given?: string;
}

/** The files that a command names in addition to its program and script. */
export function commandFiles({ text, known = [], given = "" }: CommandText, lookup: Lookup): CommandFiles {
  const rest = withoutWritten(text);
  const wholes = known.filter(({ start, end }) => rest.slice(start, end).trim() !== "").map(({ word }) => word);
  const substituted = matches(rest.replaceAll(/['"]/g, ""), BEHIND_SUBSTITUTION);
  const written = [...substituted, ...pieces(rest), ...pieces(withoutWritten(given)), ...wholes];
  const words = [...new Set(written.flatMap(namesIn))];
  const folders = foldersEntered(rest, lookup);
  const lookups = [lookup, ...folders.map((folder) => ({ ...lookup, dirs: [folder] }))];
  const found = words.slice(0, MOST_WORDS).flatMap((word) => lookups.flatMap((one) => ownFile(word, one) ?? []));
  const isCovered = (word: string) => namesIn(word).some((name) => ownFile(name, lookup) !== undefined);
  const uncovered = [
    ...taskRunners(rest),
    ...matches(rest, SOURCED).filter((word) => !isCovered(word)),
    ...matches(rest, LOADING).filter((word) => loadsUnseen(word, lookup)),
    ...inlineCode(splitAtQuotes(rest)),
    ...folders.map((folder) => `what is started in ${folder}`),
    ...substituted.map((path) => `$(…)/${path}`),
    ...starting(rest)
      .filter((piece) => !isCovered(piece.word) && looksLikeCode(piece, lookup))
      .map(({ word }) => word),
    ...(words.length > MOST_WORDS ? [`a command of more than ${MOST_WORDS} words`] : []),
  ];
  return { files: [...new Set(found)], uncovered: [...new Set(uncovered)] };
}

/** The folders other than the project root that a command enters, as far as the text shows. */
function foldersEntered(text: string, { project, variables = {} }: Lookup): readonly string[] {
  if (project === undefined) return [];
  const named = matches(text, CHANGED_FOLDER).map((word) => withValues(word.replaceAll(/['"]/g, ""), variables));
  const folders = named.map((word) => resolve(project, word)).filter((folder) => folder !== project);
  return [...new Set(folders)].slice(0, MOST_FOLDERS);
}

function withoutWritten(text: string): string {
  return text.replaceAll(WRITTEN, (target) => " ".repeat(target.length));
}

/** Also reads the files and adds the interpreters they name, which are started too. Throws if a file cannot be read. */
export function withInterpreters(all: CommandFiles, lookup: Lookup): CommandFiles {
  const { project } = lookup;
  if (project === undefined) return all;
  const files = new Set(all.files);
  const uncovered = new Set(all.uncovered);
  for (const file of files) {
    const fault = contentFault(file);
    if (fault !== undefined) throw unreadable(file, fault);
    const line = shebangOf(file);
    if (line === undefined) continue;
    const named = commandFiles({ text: line }, { ...lookup, dirs: [project] });
    for (const interpreter of named.files) files.add(interpreter);
    if (named.uncovered.length > 0) uncovered.add(`#!${line}`);
  }
  return { files: [...files], uncovered: [...uncovered] };
}

function unreadable(file: string, fault: string): HooklineError {
  const what = `${file} ${fault}, so trust cannot cover it and it is not started.`;
  return new HooklineError({ code: "CONFIG_UNREADABLE", what, next: ADVICE.CONFIG_UNREADABLE });
}

/** Whether a variable such as `NODE_OPTIONS=--import=./x.mjs` loads files that are not covered. In PATH only project folders count. */
function loadsUnseen(assignment: string, lookup: Lookup): boolean {
  const { project = "", variables = {} } = lookup;
  const at = assignment.indexOf("=");
  const parts = withValues(assignment.slice(at + 1), variables)
    .split(/[\s:;,'"]+/)
    .filter((part) => part !== "");
  if (assignment.startsWith("PATH=")) {
    return parts.some((part) => !/^[/$]/.test(part) || `${part}/`.startsWith(`${project}/`));
  }
  return !parts.every((part) => namesIn(part).some((name) => ownFile(name, lookup) !== undefined));
}

/** A declaration's target, plus the files that its variables make it load. */
export function withVariables(target: Target, env: Readonly<Record<string, string>>, lookup: Lookup): Target {
  const text = Object.entries(env).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  if (lookup.project === undefined || text.length === 0) return target;
  const named = commandFiles({ text: text.join(" ") }, lookup);
  const wholes = Object.values(env).flatMap((value) => ownFile(value, lookup) ?? []);
  const files = [...new Set([...target.files, ...named.files, ...wholes])];
  const uncovered = [...new Set([...target.uncovered, ...named.uncovered])];
  return { ...target, ...withInterpreters({ files, uncovered }, lookup) };
}

interface Piece {
  readonly word: string;
  /** After an operator or at the start: a command; a relative path is resolved against the working directory. */
  readonly starts: boolean;
}

function starting(text: string): readonly Piece[] {
  const found: Piece[] = [];
  // A text that starts with a blank starts with the known program.
  let starts = /^\S/.test(text);
  // One token at a time: a pattern that skips blanks itself takes quadratic time on a text of blanks.
  for (const [token] of text.replaceAll(/['"]/g, "").matchAll(/[;&|(\n`]|[^\s`;&|<>()=]+/g)) {
    const isOperator = /^[;&|(\n`]$/.test(token);
    if (!isOperator) found.push({ word: token, starts });
    starts = isOperator;
    if (found.length === MOST_WORDS) break;
  }
  return found;
}

/** Split at quotes, and also with quotes removed: finds words in nested commands either way. */
function pieces(text: string): readonly string[] {
  const joined = text.replaceAll(/['"]/g, "").match(/[^\s`;&|<>()]+/g) ?? [];
  return [...splitAtQuotes(text), ...joined.slice(0, MOST_WORDS)];
}

function splitAtQuotes(text: string): readonly string[] {
  return (text.match(/[^\s`;&|<>()'",]+/g) ?? []).slice(0, MOST_WORDS);
}

/** `--import=./x.mjs`, `-I./lib`, `@args` and `file:///x` name a file, too. */
function namesIn(word: string): readonly string[] {
  const value = word.slice(word.lastIndexOf("=") + 1);
  return [word, value, value.replace(/^(-[A-Za-z]|@|file:\/\/)/, "")].filter((name) => name !== "");
}

/** The project file that a word names. */
function ownFile(word: string, { dirs, project, variables = {} }: Lookup): string | undefined {
  if (project === undefined) return undefined;
  const path = word.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (text, braced, bare) => variables[braced ?? bare] ?? text);
  const places = dirs.map((dir) => resolve(dir, path)).filter((place) => place.startsWith(`${project}/`));
  return places.find(isFile);
}

function looksLikeCode({ word, starts }: Piece, { dirs }: Lookup): boolean {
  if (isAbsolute(word)) return !SYSTEM_FOLDERS.test(word) && isFile(word);
  if (/^(\.{1,2}|~|\$\{?\w+\}?)\/./.test(word) || /^https?:/.test(word)) return true;
  if (word.includes("/") && (starts || /[*?[{]/.test(word))) return true;
  return dirs.some((dir) => isFile(resolve(dir, word)));
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);
}

const isFile = lookedUpOnce((file) => {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
});
