import { visible, visibleJson, visibleLines } from "./visible.ts";

const MOST_BLANKS = 40;
const MOST_BLANK_LINES = 3;

const LONG_RUN = new RegExp(` {${MOST_BLANKS + 1},}`, "g");
/** Blanks other than the space, including the blank Braille pattern. */
const OTHER_BLANKS = /[\p{Zs}\u2800]/gu;
/** More marks on a letter than any language has. */
const MANY_MARKS = /\p{M}{5,}/gu;

/** Text that a person decides on: like `visibleLines`, and blanks or blank lines cannot hide anything. */
export function decisionLines(text: string): string[] {
  return withoutBlankLines(visibleLines(text).map(withoutBlanks));
}

/** The same on one line. */
export function decisionText(text: string): string {
  return withoutBlanks(visible(text));
}

/** The same for a value. */
export function decisionJson(value: unknown): string[] {
  return visibleJson(value).split("\n").map(withoutBlanks);
}

/** Whether these lines contain a placeholder for a long run of blanks. */
export function holdsHiddenBlanks(lines: readonly string[]): boolean {
  return lines.some((line) => /… [\d,]+ (spaces|blank lines) …/.test(line));
}

function withoutBlanks(line: string): string {
  return line
    .replace(OTHER_BLANKS, (char) => (char === " " ? char : escaped(char)))
    .replace(MANY_MARKS, (marks) => [...marks].map(escaped).join(""))
    .replace(LONG_RUN, (run) => `… ${inDigits(run.length)} spaces …`);
}

/** Shortens runs of blank lines; in a diff, added, removed and kept blank lines count too. */
function withoutBlankLines(lines: readonly string[]): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const mark = blankMark(lines[at]);
    let end = at + 1;
    while (mark !== undefined && end < lines.length && blankMark(lines[end]) === mark) end += 1;
    const run = lines.slice(at, end);
    if (run.length > MOST_BLANK_LINES) shown.push(`${mark}… ${inDigits(run.length)} blank lines …`);
    else shown.push(...run);
    at = end;
  }
  return shown;
}

function blankMark(line: string | undefined): string | undefined {
  const trimmed = line?.trim();
  return trimmed === "" || trimmed === "+" || trimmed === "-" ? trimmed : undefined;
}

function escaped(char: string): string {
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

function inDigits(count: number): string {
  return count.toLocaleString("en-US");
}
