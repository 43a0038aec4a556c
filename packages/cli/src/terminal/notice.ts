import { colours } from "./colour.ts";
import type { Io } from "./io.ts";
import { visibleLines } from "./visible.ts";

/** Prints notices for the user on standard error. */
export function noticeTo(io: Io): (text: string) => void {
  const { yellow } = colours(io);
  return (text) => {
    const lines = visibleLines(text).map((line) => yellow(`! ${line}`));
    io.stderr(`${lines.join("\n")}\n`);
  };
}
