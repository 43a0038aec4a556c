import { ToolFault } from "./toolFault.ts";

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** The required number of matches; "any": one or more. */
  readonly expected: number | "any";
}

export interface Replaced {
  readonly text: string;
  readonly count: number;
}

/**
 * Replaces text, keeping the line ends of the file: a model writes `\n` and cannot see that a file uses `\r\n`, or that its last
 * line has no line end.
 */
export function applyReplacement(text: string, replacement: Replacement, shown: string): Replaced {
  const { oldText, newText, expected } = replacement;
  if (oldText === newText) throw new ToolFault("`old_string` and `new_string` are the same; nothing would change.");
  for (const [search, insert] of formsOf(text, oldText, newText)) {
    const pieces = text.split(search);
    const count = pieces.length - 1;
    if (count === 0) continue;
    if (expected !== "any" && count !== expected) throw new ToolFault(wrongCount(count, expected, shown));
    return { text: pieces.join(insert), count };
  }
  const cut = withoutLastEnd(text, oldText, newText);
  if (cut !== undefined && (expected === "any" || expected === 1)) return { text: cut, count: 1 };
  throw new ToolFault(
    `\`old_string\` was found 0 times in ${shown}. It must match the file exactly, with its spaces and line ends; read the file again.`,
  );
}

type Form = readonly [search: string, insert: string];

function formsOf(text: string, oldText: string, newText: string): readonly Form[] {
  const ends = text.split("\n").length - 1;
  const windowsEnds = text.split("\r\n").length - 1;
  const plain: Form = [oldText, newText];
  if (windowsEnds === 0) return [plain];
  const windows: Form = [withWindowsEnds(oldText), withWindowsEnds(newText)];
  return windowsEnds * 2 > ends ? [windows, plain] : [plain, windows];
}

function withWindowsEnds(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function withoutLastEnd(text: string, oldText: string, newText: string): string | undefined {
  if (text.endsWith("\n") || !/[^\n]\r?\n$/.test(oldText)) return undefined;
  for (const [search, insert] of formsOf(text, oldText, newText)) {
    const lines = search.replace(/\r?\n$/, "");
    if (text.endsWith(lines)) return text.slice(0, text.length - lines.length) + insert.replace(/\r?\n$/, "");
  }
  return undefined;
}

function wrongCount(count: number, expected: number, shown: string): string {
  return `\`old_string\` was found ${count} times in ${shown}, but ${expected} ${expected === 1 ? "was" : "were"} expected. Add lines around it until it is the only one, or set \`expected_replacements\` to ${count} to change them all.`;
}
