import { upperBoundUs } from "@hookline/journal/program";

/** Upper bounds of the columns, each about three times the previous one; the last column has no bound. */
const BOUNDS_US = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000];

/** Header for the columns, with the same width. */
export const HISTOGRAM_HEAD = ".1  10  1s ";
export const HISTOGRAM_LEGEND = "latency: one column each for 0.1, 0.3, 1, 3, 10, 30, 100, 300 ms, 1 s, 3 s and more";

/** Number of runs per column. */
export function columnsOf(latency: ReadonlyMap<number, number>): readonly number[] {
  const columns = Array.from({ length: BOUNDS_US.length + 1 }, () => 0);
  for (const [bucket, runs] of latency) {
    const found = BOUNDS_US.findIndex((bound) => upperBoundUs(bucket) <= bound * 1.05);
    const column = found === -1 ? BOUNDS_US.length : found;
    columns[column] = (columns[column] ?? 0) + runs;
  }
  return columns;
}

/** Draws each column in proportion to its runs; a column with at least one run is visible. */
export function histogram(latency: ReadonlyMap<number, number>, levels: readonly string[]): string {
  const columns = columnsOf(latency);
  const most = Math.max(...columns);
  return columns
    .map((runs) => (runs === 0 ? " " : (levels[Math.ceil((runs / most) * levels.length) - 1] ?? "")))
    .join("");
}
