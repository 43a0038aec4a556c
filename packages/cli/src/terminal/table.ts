import measure from "fast-string-truncated-width";
import type { Style } from "./colour.ts";

export type Cell = string | { readonly text: string; readonly style: Style };

/** Aligns rows in columns; the last column is not padded. */
export function aligned(rows: readonly (readonly Cell[])[], indent = ""): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(textOf(cell)));
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const isLast = column === row.length - 1;
      const padding = " ".repeat(isLast ? 0 : (widths[column] ?? 0) - widthOf(textOf(cell)));
      return (typeof cell === "string" ? cell : cell.style(cell.text)) + padding;
    });
    return `${indent}${cells.join("  ")}`.trimEnd();
  });
}

/** The width of a text in terminal columns: wide letters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : measure(text).width;
}

/** Text with one column per unit, which most texts are; needs no package. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff–—‘’“”…←-↓─-╿✓✗]*$/;

/** The beginning of a text that fits into these columns; never splits an emoji or an accented letter. */
export function startWithin(text: string, columns: number): string {
  return text.slice(0, measure(text, { limit: columns, ellipsis: "" }).index);
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
