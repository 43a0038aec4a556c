import { headOf } from "../terminal/cutText.ts";

export const MAX_LINES = 2_000;
const MAX_LINE_CHARS = 2_000;
const MAX_BYTES = 256 * 1024;

/** Line numbers start at 1; in an empty file, `last` and `total` are 0. */
export interface ShownLines {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

/** The lines from `offset` on, up to the limit for a model; converts Windows line ends. */
export function linesFrom(text: string, offset: number, limit: number): ShownLines {
  const lines = linesOf(text);
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(offset, offset + Math.min(limit, MAX_LINES))) {
    const cut = shortLine(line);
    bytes += Buffer.byteLength(cut) + 1;
    if (bytes > MAX_BYTES && shown.length > 0) break;
    shown.push(cut);
  }
  return { text: shown.join("\n"), first: offset + 1, last: offset + shown.length, total: lines.length };
}

function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop(); // the text ended with a line end
  return lines;
}

function shortLine(line: string): string {
  const head = headOf(line, MAX_LINE_CHARS);
  return head === line ? line : `${head}… [${line.length - head.length} more characters in this line]`;
}
