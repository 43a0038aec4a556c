import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";

interface Coverage {
  readonly covered: readonly { readonly start: number; readonly end: number }[];
  readonly dirs: readonly string[];
}

/** Programs whose further words name code that stands in some file of theirs. */
const TASK_RUNNERS =
  /(?:^|[\s;&|(/])((?:npm|pnpm|yarn|bun|deno|npx|make|just|task|rake|cargo|go|poetry|uv|composer)(?:[ \t]+[^\s;&|<>()]+)+)/g;
const SOURCED = /(?:^|[\s;&|(])(?:\.|source)[ \t]+([^\s;&|<>()'"]+)/g;
/** Folders of the system, whose files are its own business. */
const SYSTEM_FOLDERS = /^\/(usr|bin|sbin|lib|dev|proc|etc)\//;

/** What a command may run beside its program and script. It errs on the side of showing a word too many. */
export function uncoveredWords(text: string, { covered, dirs }: Coverage): readonly string[] {
  const rest = covered.reduce(
    (sofar, { start, end }) => sofar.slice(0, start) + " ".repeat(end - start) + sofar.slice(end),
    text,
  );
  const found = [
    ...[...rest.matchAll(TASK_RUNNERS)].flatMap(([, words]) => words ?? []),
    ...[...rest.matchAll(SOURCED)].flatMap(([, file]) => file ?? []),
    ...pieces(rest)
      .filter((piece) => looksLikeCode(piece, dirs))
      .map(({ word }) => word),
  ];
  return [...new Set(found)];
}

interface Piece {
  readonly word: string;
  /** Right behind an operator or at the start: a command, resolved against the working directory when it is relative. */
  readonly starts: boolean;
}

function pieces(text: string): readonly Piece[] {
  const unquoted = text.replaceAll(/['"]/g, "");
  return [...unquoted.matchAll(/(^|[;&|(\n`])?[\s=]*([^\s`;&|<>()=]+)/g)].map(([, operator, word = ""]) => ({
    word,
    starts: operator !== undefined,
  }));
}

function looksLikeCode({ word, starts }: Piece, dirs: readonly string[]): boolean {
  if (isAbsolute(word)) return !SYSTEM_FOLDERS.test(word) && isFile(word);
  if (/^(\.{1,2}|~|\$\{?\w+\}?)\/./.test(word) || /^https?:/.test(word)) return true;
  if (starts && word.includes("/")) return true;
  return dirs.some((dir) => isFile(resolve(dir, word)));
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
