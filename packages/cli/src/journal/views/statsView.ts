import type { EventStats, HookStats, LastOutcome } from "@hookline/journal";
import { colours } from "../../terminal/colour.ts";
import { durationText } from "../../terminal/duration.ts";
import type { Io } from "../../terminal/io.ts";
import { lookOf } from "../../terminal/outcome.ts";
import { aligned, type Cell } from "../../terminal/table.ts";
import { shortened } from "../../terminal/visible.ts";
import { cellText } from "./cellText.ts";
import { glyphsFor } from "./glyphs.ts";
import { columnsOf, HISTOGRAM_HEAD, HISTOGRAM_LEGEND, histogram } from "./histogram.ts";
import { ago, isoTime } from "./times.ts";

export interface Stats {
  readonly hooks: readonly (HookStats & { readonly last: LastOutcome | undefined })[];
  readonly events: readonly EventStats[];
}

const LONGEST_NAME = 40;
const COUNTS = ["runs", "p50", "p95", "p99", "block", "ask", "fail", "skip"];

export function statsView({ hooks, events }: Stats, io: Io, now: number): string[] {
  const paint = colours(io);
  const { bold, dim, red, yellow } = paint;
  const { levels } = glyphsFor(io);
  const heads = (words: readonly string[]): Cell[] => words.map((text) => ({ text, style: bold }));
  const count = (value: number, style = (text: string) => text): Cell =>
    value === 0 ? { text: "0", style: dim } : { text: String(value), style };
  // Shown only if needed: most projects have no hook that records usages.
  const hasUsages = hooks.some(({ usages }) => usages > 0);
  const counts = hasUsages ? [...COUNTS, "usage"] : COUNTS;
  /** Their columns: after hook and source. */
  const figures = counts.map((_, index) => index + 2);
  const hookRows = hooks.map((hook): Cell[] => [
    shortened(hook.hook, LONGEST_NAME),
    { text: shortened(hook.source, LONGEST_NAME), style: dim },
    count(hook.runs),
    ...[hook.p50Us, hook.p95Us, hook.p99Us].map((us) => (us === undefined ? "-" : durationText(us / 1_000))),
    count(hook.blocks, red),
    count(hook.asks, yellow),
    count(hook.failures, yellow),
    count(hook.skips),
    ...(hasUsages ? [count(hook.usages)] : []),
    histogram(hook.latency, levels),
    hook.last ? { text: lastText(hook.last, now), style: paint[lookOf(hook.last.outcome).colour] } : "-",
  ]);
  const eventRows = events.map(({ event, matched, unmatched }): Cell[] => [
    shortened(event, LONGEST_NAME),
    count(matched),
    count(unmatched),
  ]);
  return [
    ...aligned(rightAligned([heads(["hook", "source", ...counts, HISTOGRAM_HEAD, "last"]), ...hookRows], figures)),
    ...(hooks.length === 0 ? [dim("No hook ran.")] : [dim(HISTOGRAM_LEGEND)]),
    ...(events.length === 0
      ? []
      : ["", ...aligned(rightAligned([heads(["event", "matched", "unmatched"]), ...eventRows], [1, 2]))]),
  ];
}

/** Right-align numbers for comparison. */
function rightAligned(rows: readonly (readonly Cell[])[], columns: readonly number[]): Cell[][] {
  const width = (column: number) => Math.max(...rows.map((row) => cellText(row[column]).length));
  const widths = new Map(columns.map((column) => [column, width(column)]));
  return rows.map((row) =>
    row.map((cell, column) => {
      const text = cellText(cell).padStart(widths.get(column) ?? 0);
      return typeof cell === "string" ? text : { ...cell, text };
    }),
  );
}

/** `block 3 min ago` */
export function lastText({ outcome, at }: LastOutcome, now: number): string {
  return `${shortened(outcome, LONGEST_NAME)} ${ago(at, now)}`;
}

export function statsJson({ hooks, events }: Stats): object {
  return {
    hooks: hooks.map(({ p50Us, p95Us, p99Us, maxUs, latency, last, ...counts }) => ({
      ...counts,
      p50Ms: inMs(p50Us),
      p95Ms: inMs(p95Us),
      p99Ms: inMs(p99Us),
      maxMs: inMs(maxUs),
      latency: columnsOf(latency),
      last: last ? lastJson(last) : null,
    })),
    events,
  };
}

export function lastJson({ outcome, at, event, reason }: LastOutcome): object {
  return { outcome, at: isoTime(at), event, reason: reason ?? null };
}

function inMs(us: number | undefined): number | null {
  return us === undefined ? null : Math.round(us) / 1_000;
}
