import { counted, startWithin, widthOf } from "./table.ts";

/** A line before colouring. */
export interface Line {
  readonly text: string;
  readonly style?: ((text: string) => string) | undefined;
  /** Default: two spaces. */
  readonly indent?: string;
}

/** The most rows that lines may take on a terminal of this width. */
export function rowsOf(lines: readonly Line[], columns: number): number {
  return lines.reduce((rows, { text }) => rows + Math.max(1, Math.ceil(mostColumns(text) / columns)), 0);
}

/** Terminals differ: some draw a vowel sign, a skin tone or half a flag separately. What those push off the screen must count. */
function mostColumns(text: string): number {
  return widthOf(text) + 2 * (text.match(OWN_COLUMNS)?.length ?? 0);
}

const OWN_COLUMNS = /[\p{Mc}\p{Emoji_Modifier}\p{Regional_Indicator}\u3248-\u324f\u4dc0-\u4dff]/gu;

/**
 * Cuts lines that take too many rows to their beginning and end, with a note of how much is missing between: a long text cannot
 * hide something unnoticed behind a harmless beginning.
 */
export function fitRows(lines: readonly Line[], maxRows: number, columns: number): readonly Line[] {
  if (rowsOf(lines, columns) <= maxRows) return lines;
  const half = Math.max(1, Math.floor(maxRows / 2));
  const head = take(lines, half, columns, "start");
  const tail = take(lines.slice(head.whole), half, columns, "end");
  const left = lines.slice(head.whole, lines.length - tail.whole);
  const isInPieces = head.piece !== undefined || tail.piece !== undefined;
  const hidden = isInPieces
    ? `${(lengthOf(left) - lengthOf([head.piece, tail.piece])).toLocaleString("en-US")} characters`
    : counted(left.length, "line");
  return [
    ...lines.slice(0, head.whole),
    ...(head.piece ? [head.piece] : []),
    { text: `… ${hidden} ${hidden === "1 line" ? "is" : "are"} not shown …` },
    ...(tail.piece ? [tail.piece] : []),
    ...lines.slice(lines.length - tail.whole),
  ];
}

interface Taken {
  /** The number of complete lines that fit. */
  readonly whole: number;
  /** The part of the next line that also fits. */
  readonly piece?: Line;
}

function take(lines: readonly Line[], maxRows: number, columns: number, from: "start" | "end"): Taken {
  let left = maxRows;
  for (let whole = 0; whole < lines.length; whole += 1) {
    const line = lines[from === "start" ? whole : lines.length - 1 - whole];
    if (!line) break;
    const rows = rowsOf([line], columns);
    if (rows > left) return left === 0 ? { whole } : { whole, piece: pieceOf(line, left * columns, from) };
    left -= rows;
  }
  return { whole: lines.length };
}

function pieceOf({ text, ...line }: Line, maxWidth: number, from: "start" | "end"): Line {
  return { ...line, text: from === "start" ? startWithin(text, maxWidth) : endWithin(text, maxWidth) };
}

function endWithin(text: string, columns: number): string {
  // Segmenting is slow, so segment only what can fit: a character of one column rarely has more than four units.
  const last = text.slice(-4 * columns);
  const characters = Array.from(new Intl.Segmenter().segment(last), ({ segment }) => segment);
  let [start, width] = [characters.length, 0];
  while (start > 0) {
    width += widthOf(characters[start - 1] ?? "");
    if (width > columns) break;
    start -= 1;
  }
  return characters.slice(start).join("");
}

function lengthOf(lines: readonly (Line | undefined)[]): number {
  return lines.reduce((length, line) => length + (line?.text.length ?? 0), 0);
}
