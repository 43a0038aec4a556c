import { lookedUpOnce } from "./sameAnswers.ts";
import { KEYWORDS } from "./shellNames.ts";

/** A word after quote removal, and its position in the text, quotes included. */
export interface ShellWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export interface LeadingWord {
  /** The assignments before the word, as written. */
  readonly assignments: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The word that names the command, if it can be determined without running the shell. */
export function leadingWord(text: string): LeadingWord | null {
  const [first] = words(text);
  if (!first) return null;
  const { word, start, end } = first;
  return { assignments: text.slice(0, start).trim(), word, start, end };
}

/**
 * The words of the text's first simple command, up to its first operator and without its assignments. A word
 * that the shell would expand is null; after a null at the end there may be more, since some expansions hide where they end.
 */
export function words(text: string): readonly (ShellWord | null)[] {
  return wordsOf(text);
}

const wordsOf = lookedUpOnce((text) => {
  const found: (ShellWord | null)[] = [];
  let at = skip(/[ \t\n]*/y, text, 0);
  while (at < text.length && !/[;|&<>()\n#]/.test(text.charAt(at))) {
    const { expands, end, ...word } = scanWord(text, at);
    if (end === null) return [...found, null];
    const isFirst = found.length === 0;
    if (isFirst && !word.quoted && KEYWORDS.has(word.word)) return [];
    const isAssignment = isFirst && skip(/[A-Za-z_][A-Za-z0-9_]*\+?=/y, text, at) > at;
    const isDescriptor = !word.quoted && /^[0-9]+$/.test(word.word) && /[<>]/.test(text.charAt(end)); // as in `2>errors`
    if (!isAssignment && !isDescriptor) found.push(expands ? null : { ...word, end });
    at = skip(/(?:[ \t]|\\\n)*/y, text, end);
  }
  return found;
});

/** All words of a text that is exactly one simple command, each of them known; null for any other text. */
export function simpleWords(text: string): string[] | null {
  if (/[^\S \t\n]/.test(text)) return null; // whitespace that some shells split at
  const line = text.trim();
  const all = words(line);
  const known = all.flatMap((one) => one ?? []);
  const [first, last] = [known[0], known.at(-1)];
  const isWhole = known.length === all.length && first?.start === 0 && last?.end === line.length;
  return isWhole && known.every((one, index) => followsDirectly(line, known[index - 1], one))
    ? known.map(({ word }) => word)
    : null;
}

/** Whether only blanks separate two words: `2>errors` is not among the words, and other things may not be either. */
function followsDirectly(line: string, before: ShellWord | undefined, word: ShellWord): boolean {
  return before === undefined || /^(?:[ \t]|\\\n)+$/.test(line.slice(before.end, word.start));
}

/** Quotes a text as one shell word. */
export function quoteForShell(word: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]+$/.test(word) && !KEYWORDS.has(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Scanned extends Omit<ShellWord, "end"> {
  readonly expands: boolean;
  /** Null: after a nested command or an open quote only a shell can tell. */
  readonly end: number | null;
}

const VARIABLE = /\$(?:\{[A-Za-z_][A-Za-z0-9_]*\}|(?![({[]))/.source;
const PIECE = new RegExp(
  [
    /'(?<single>[^']*)'/.source,
    `"(?<double>(?:[^"\\\\$\`]|\\\\.|${VARIABLE})*)"`,
    /(?<literal>[^ \t\n;|&<>()'"\\$`]+)/.source,
    /\\(?<escaped>.)/.source,
    `(?<expansion>${VARIABLE}(?!['"]))`,
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
    const { single, double, literal, escaped, expansion } = piece.groups;
    quoted ||= single !== undefined || double !== undefined || escaped !== undefined;
    expands ||= expansion !== undefined || hasVariable(double ?? "") || /[*?[{~]/.test(literal ?? "");
    word += single ?? literal ?? unescaped(double ?? "") + (escaped ?? "").replace("\n", "");
    at = PIECE.lastIndex;
  }
  return { word, start, end: at, quoted, expands };
}

function hasVariable(double: string): boolean {
  return double.replaceAll(/\\./gs, "").includes("$");
}

/** In double quotes a backslash counts only before these; before a line end both are dropped. */
function unescaped(double: string): string {
  return double.replaceAll(/\\([$`"\\\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped));
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
