import { KEYWORDS } from "./shellNames.ts";

/** A word after quote removal, and where it stands in the text, quotes included. */
export interface ShellWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export interface LeadingWord {
  /** The text of the assignments before the word, as written. */
  readonly assignments: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The word that names the command, if it can be known without running the shell. */
export function leadingWord(text: string): LeadingWord | null {
  const [first] = words(text);
  if (!first) return null;
  const { word, start, end } = first;
  return { assignments: text.slice(0, start).trim(), word, start, end };
}

/**
 * The words of the simple command that the text begins with, up to its first operator and without its assignments. A word
 * that the shell would expand is null; after a null at the end there may be more, since some expansions hide their own end.
 */
export function words(text: string): (ShellWord | null)[] {
  const found: (ShellWord | null)[] = [];
  let at = skip(/[ \t\n]*/y, text, 0);
  while (at < text.length && !/[;|&<>()\n#]/.test(text.charAt(at))) {
    const { expands, end, ...word } = scanWord(text, at);
    if (end === null) return [...found, null];
    const isFirst = found.length === 0;
    if (isFirst && !word.quoted && KEYWORDS.has(word.word)) return [];
    const isAssignment = isFirst && skip(/[A-Za-z_][A-Za-z0-9_]*\+?=/y, text, at) > at;
    const isDescriptor = !word.quoted && /^[0-9]+$/.test(word.word) && /[<>]/.test(text.charAt(end)); // of `2>errors`
    if (!isAssignment && !isDescriptor) found.push(expands ? null : { ...word, end });
    at = skip(/(?:[ \t]|\\\n)*/y, text, end);
  }
  return found;
}

/** One shell word that stands for exactly this text. */
export function quoteForShell(word: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]+$/.test(word) && !KEYWORDS.has(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Scanned extends Omit<ShellWord, "end"> {
  readonly expands: boolean;
  /** Null: after a nested command or an open quote nobody but a shell can tell. */
  readonly end: number | null;
}

const VARIABLE = /\$(?:\{[A-Za-z_][A-Za-z0-9_]*\}|(?![({[]))/.source;
const PIECE = new RegExp(
  [
    /'(?<single>[^']*)'/.source,
    `"(?<double>(?:[^"\\\\$\`]|\\\\.|${VARIABLE})*)"`,
    /(?<literal>[^ \t\n;|&<>()'"\\$`]+)/.source,
    `(?<expansion>\\\\.|${VARIABLE}(?!['"]))`,
  ].join("|"),
  "sy",
);

function scanWord(text: string, start: number): Scanned {
  let word = "";
  let quoted = false;
  let expands = false;
  let at = start;
  while (at < text.length && !/[ \t\n;|&<>()]/.test(text.charAt(at))) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(text);
    if (!piece?.groups) return { word, start, end: null, quoted, expands: true };
    const { single, double, literal, expansion } = piece.groups;
    quoted ||= single !== undefined || double !== undefined;
    expands ||= expansion !== undefined || /[\\$]/.test(double ?? "") || /[*?[{~]/.test(literal ?? "");
    word += single ?? double ?? literal ?? "";
    at = PIECE.lastIndex;
  }
  return { word, start, end: at, quoted, expands };
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
