import { isAbsolute, resolve } from "node:path";
import { HooklineError } from "../../errors.ts";
import type { Lookup } from "./hookDeclaration.ts";

/** A relative path with a slash, anywhere in a command, also inside quotes; not the end of `$HOME/…` or of a URL. */
const RELATIVE_PATH = /(?<![\w$}~/.@+-])(?:\.{0,2}[\w@+-][\w.@+-]*|\.{1,2})(?:\/[\w.@+-]+)+/g;
/** Needs no quotes, whatever surrounds it. */
const PLAIN = /^[\w./@+-]+$/;

/**
 * In a hook from outside the project: full paths for the files beside its settings, wherever its command names them. Commands run in the
 * project's folder, where a repository could have a file of the same name.
 */
export function withOwnFiles(text: string, lookup: Lookup, isFile: (path: string) => boolean): string {
  return replacedIn(text, lookup, isFile, (path, name) => {
    if (PLAIN.test(path)) return path;
    const what = `${JSON.stringify(name)} means ${path}, but the command runs in the project, where another file may have that name.`;
    throw new HooklineError({ code: "COMMAND_NOT_FOUND", what, next: "Write the full path, in quotes." });
  });
}

/** The same for a word that no shell reads. */
export function withOwnFile(word: string, lookup: Lookup, isFile: (path: string) => boolean): string {
  return replacedIn(word, lookup, isFile, (path) => path);
}

function replacedIn(
  text: string,
  { project, dirs }: Lookup,
  isFile: (path: string) => boolean,
  write: (path: string, name: string) => string,
): string {
  if (project !== undefined) return text;
  return text.replaceAll(RELATIVE_PATH, (name) => {
    const path = isAbsolute(name) ? undefined : dirs.map((dir) => resolve(dir, name)).find(isFile);
    return path === undefined ? name : write(path, name);
  });
}
