import type { Place } from "../../errors.ts";

/** Turns an offset in a file's text into its line and column; both count from 1. */
export function textPlaces(file: string, text: string): (offset: number) => Place {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  return (offset) => {
    const line = lastAtOrBefore(lineStarts, offset);
    return { file, line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
