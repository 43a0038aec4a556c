import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { ADVICE, HooklineError } from "../../errors.ts";
import { lookedUpOnce } from "../../process/sameAnswers.ts";
import { quoteForShell, withValues, words } from "../../process/shellCommand.ts";
import type { ShellWord } from "../../process/shellWords.ts";
import { withExtensionPlaces, withSeparators } from "../values/variables.ts";
import { commandFiles, withInterpreters } from "./commandFiles.ts";
import type { Lookup } from "./hookDeclaration.ts";
import { interpretedBy, isInterpreter } from "./interpreters.ts";
import { withOwnFile, withOwnFiles } from "./ownFiles.ts";
import { shebangOf } from "./shebang.ts";

export interface ResolvedCommand {
  /** The command with absolute paths for program and script: it means the same in every working directory. */
  readonly text: string;
  /** The program and script it starts, and every project file it names; programs found in PATH belong to the system. */
  readonly files: readonly string[];
  /** Words that look like further code and were not looked up. */
  readonly uncovered: readonly string[];
}

/** A word of the command, and the file it resolves to. */
interface Found {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly file: string;
  readonly isFile: boolean;
}

/**
 * Looks up the first word, if it is a path, and the script after an interpreter, only in the given folders:
 * a cloned repository must not be able to replace a user's script.
 */
export function resolveCommand(given: string, lookup: Lookup): ResolvedCommand {
  const text = withValues(withSeparators(given, lookup), lookup.variables ?? {});
  const { found, ...covered } = lookUp(text, words(text), lookup, given);
  return { text: withOwnFiles(replaced(text, found), lookup, isRegularFile), ...covered };
}

export interface ResolvedWords extends Omit<ResolvedCommand, "text"> {
  readonly words: readonly string[];
}

/** The same for an argument list that no shell reads. */
export function resolveWords(given: readonly string[], lookup: Lookup): ResolvedWords {
  const located = placed(given);
  const { found, ...covered } = lookUp(given.map(quoteForShell).join(" "), located, lookup);
  const fileAt = new Map(found.map(({ start, file }) => [start, file]));
  const own = (word: string) => withOwnFile(word, lookup, isRegularFile);
  return { words: located.map(({ word, start }) => fileAt.get(start) ?? own(word)), ...covered };
}

interface LookedUp extends Omit<ResolvedCommand, "text"> {
  readonly found: readonly Found[];
}

function lookUp(text: string, all: readonly (ShellWord | null)[], lookup: Lookup, given = ""): LookedUp {
  const program = programOf(all[0], lookup);
  const found = [...program, ...scriptOf(all, lookup)];
  const interpreters = program.filter((one) => isForeignInterpreter(one, lookup)).map(({ file }) => file);
  const started = found.filter(({ file, isFile }) => isFile && !interpreters.includes(file)).map(({ file }) => file);
  const folders = found.filter(({ isFile }) => !isFile).map(({ file }) => file);
  for (const { file } of program) assertOwnInterpreter(file, lookup);
  const others = all.flatMap((one) => (one && !found.some(({ start }) => start === one.start) ? [one] : []));
  const named = commandFiles({ text: blanked(text, found), known: others, given }, lookup);
  const files = [...new Set([...started, ...named.files])];
  return { found, ...withInterpreters({ files, uncovered: [...folders, ...named.uncovered] }, lookup) };
}

function blanked(text: string, found: readonly Found[]): string {
  return found.reduce(
    (sofar, { start, end }) => sofar.slice(0, start) + " ".repeat(end - start) + sofar.slice(end),
    text,
  );
}

/** Commands run in the project, so a relative interpreter in a user's script would come from the project. */
function assertOwnInterpreter(file: string, { project }: Lookup): void {
  const [interpreter = "/"] = shebangOf(file)?.split(/[ \t]+/) ?? [];
  if (project !== undefined || isAbsolute(interpreter)) return;
  const what = `${file} names its interpreter by the relative path ${JSON.stringify(interpreter)}, where a project could put its own file.`;
  throw notFound(what, "Write the interpreter's full path.");
}

/** Resolves a file that a hook names by path, by the same rule. */
export function findFile(path: string, lookup: Lookup): string {
  const next = "Create the file, or correct its path.";
  const file = find(withExtensionPlaces(path, lookup), lookup, next);
  if (!isRegularFile(file)) throw notFound(`${JSON.stringify(path)} is a folder, not a file: ${file}.`, next);
  return file;
}

function programOf(first: ShellWord | null | undefined, lookup: Lookup): readonly Found[] {
  if (!first?.word.includes("/")) return [];
  const file = find(first.word, lookup);
  if (!isRegularFile(file)) throw notFound(`${JSON.stringify(first.word)} is a folder, not a program: ${file}.`);
  return [{ word: first.word, start: first.start, end: first.end, file, isFile: true }];
}

function scriptOf(all: readonly (ShellWord | null)[], lookup: Lookup): readonly Found[] {
  const script = interpretedBy(all)?.script;
  // A URL, as deno accepts, is not a file to look up; `uncovered` lists it.
  if (script === undefined || /^[a-z]+:/.test(script.word)) return [];
  const file = find(script.word, lookup);
  return [{ word: script.word, start: script.start, end: script.end, file, isFile: isRegularFile(file) }];
}

function find(word: string, lookup: Lookup, next?: string): string {
  const { dirs } = lookup;
  const places = isAbsolute(word) ? [word] : dirs.map((dir) => resolve(dir, word));
  const file = places.find(isRegularFile) ?? places.find(exists);
  if (file !== undefined) return file;
  const looked = places.length === 0 ? "its extension has no path to look in" : `looked for ${places.join(" and ")}`;
  throw notFound(`${JSON.stringify(word)} was not found; ${looked}.`, inProject(word, lookup) ?? next);
}

/** Other agents start a user's hook in the project, where `node x.js` runs whatever file the repository has. */
function inProject(
  word: string,
  { project, variables: { HOOKLINE_PROJECT_DIR: root } = {} }: Lookup,
): string | undefined {
  if (project !== undefined || root === undefined || isAbsolute(word) || !exists(resolve(root, word))) return undefined;
  return `Only a project's own hooks are looked up in the project. To run the project's file, write "$HOOKLINE_PROJECT_DIR/${word}".`;
}

/** `/usr/bin/python3` starts the script; only the script belongs to the hook. An interpreter next to the hook belongs to it too. */
function isForeignInterpreter({ word, file }: Found, { dirs }: Lookup): boolean {
  return isAbsolute(word) && isInterpreter(file) && !dirs.some((dir) => file.startsWith(`${dir}/`));
}

/** The position of each word when all are quoted and joined into one line. */
function placed(given: readonly string[]): readonly ShellWord[] {
  let end = -1;
  return given.map((word) => {
    const start = end + 1;
    end = start + quoteForShell(word).length;
    return { word, start, end, quoted: true };
  });
}

function replaced(text: string, found: readonly Found[]): string {
  return found
    .toReversed()
    .reduce(
      (sofar, { start, end, file }) =>
        sofar.slice(start, end) === file ? sofar : sofar.slice(0, start) + quoteForShell(file) + sofar.slice(end),
      text,
    );
}

function notFound(what: string, next: string = ADVICE.COMMAND_NOT_FOUND): HooklineError {
  return new HooklineError({ code: "COMMAND_NOT_FOUND", what, next });
}

function exists(file: string): boolean {
  return kindOf(file) !== "nothing";
}

function isRegularFile(file: string): boolean {
  return kindOf(file) === "file";
}

const kindOf = lookedUpOnce((file): "file" | "other" | "nothing" => {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? "nothing" : stats.isFile() ? "file" : "other";
  } catch {
    return "nothing";
  }
});
