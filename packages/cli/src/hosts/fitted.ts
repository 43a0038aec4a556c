import type { Io } from "../terminal/io.ts";
import { wrapped } from "../terminal/wrapped.ts";

const FEWEST_COLUMNS = 40;

/** Text in lines that fit the terminal, broken at words; in one line where there is no terminal. */
export function fitted(
  text: string,
  { columns }: Pick<Io, "columns">,
  { first = "  ", rest = "  " }: { readonly first?: string; readonly rest?: string } = {},
): readonly string[] {
  const width = columns ? Math.max(FEWEST_COLUMNS, columns) - Math.max(first.length, rest.length) : undefined;
  const lines = width === undefined ? [text] : wrapped(text, width);
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}
