import { type Colours, colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { visible, visibleLines } from "../terminal/visible.ts";
import type { Mismatch } from "./mismatch.ts";

const MOST_LINES = 40;
/** Comparing two texts that share little can take minutes. */
const PATIENCE_MS = 1_000;

const HEADS = {
  equals: "- expected, + received",
  contains: "- expected to contain, + received",
  matches: "- expected to match, + received",
} as const;

/** The field, then the difference between expected and received lines. */
export async function mismatchView(mismatch: Mismatch, io: Io): Promise<string[]> {
  const paint = colours(io);
  if (mismatch.kind === "fault") return [`${visible(mismatch.field)}: ${visible(mismatch.what)}`];
  const { field, how, expected, actual } = mismatch;
  const areTexts = [expected, actual].every((value) => value === undefined || typeof value === "string");
  const [before, after] = [linesOf(expected, areTexts), linesOf(actual, areTexts)];
  const lines = await diffLines(before, after, paint);
  const more = lines.length > MOST_LINES ? [paint.dim(`  … ${lines.length - MOST_LINES} more lines`)] : [];
  return [`${visible(field)} ${paint.dim(`(${HEADS[how]})`)}`, ...lines.slice(0, MOST_LINES), ...more];
}

async function diffLines(before: readonly string[], after: readonly string[], paint: Colours): Promise<string[]> {
  const expected = (line: string) => paint.green(`  - ${line}`.trimEnd());
  const came = (line: string) => paint.red(`  + ${line}`.trimEnd());
  if (before.length === 1 && after.length === 1) return [...before.map(expected), ...after.map(came)];
  // Loaded lazily: only mismatches need it.
  const { diffArrays } = await import("diff");
  const parts = diffArrays([...before], [...after], { timeout: PATIENCE_MS });
  if (parts === undefined) return [...before.map(expected), ...after.map(came)];
  const same = (line: string) => paint.dim(`    ${line}`.trimEnd());
  return parts.flatMap(({ value, removed, added }) => value.map(removed ? expected : added ? came : same));
}

/** Compared with a value that is not a string, a string is shown as JSON: "3" is not 3. */
function linesOf(value: unknown, asText: boolean): readonly string[] {
  if (value === undefined) return ["(nothing)"];
  return visibleLines(asText && typeof value === "string" ? value.replace(/\n$/, "") : JSON.stringify(value, null, 2));
}
