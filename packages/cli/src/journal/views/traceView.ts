import type { Turn } from "@hookline/journal";
import { colours, type Style } from "../../terminal/colour.ts";
import { durationText } from "../../terminal/duration.ts";
import type { Io } from "../../terminal/io.ts";
import { isTrouble, lookOf, outcomeText } from "../../terminal/outcome.ts";
import { counted, widthOf } from "../../terminal/table.ts";
import { shortened, visible } from "../../terminal/visible.ts";
import { type Bar, barsOf } from "./bars.ts";
import { glyphsFor } from "./glyphs.ts";
import { recordJson } from "./recordJson.ts";
import { localTime } from "./times.ts";

const NARROWEST = 60;
const USUAL = 100;
const WIDEST = 160;
const TOOK_WIDTH = 7;
const OUTCOME_WIDTH = 13;
/** Maximum share of the line. */
const LABEL_SHARE = 0.4;

/** One turn as a waterfall: what ran when, on a time axis, and its outcome. */
export function traceView(turn: Turn, io: Io): string[] {
  const paint = colours(io);
  const { bold, cyan, dim } = paint;
  const bars = barsOf(turn);
  const width = Math.min(WIDEST, Math.max(NARROWEST, io.columns ?? USUAL));
  const longest = Math.max(0, ...bars.map(({ depth, label }) => widthOf(label) + 2 * depth));
  const labels = Math.min(longest, Math.floor(width * LABEL_SHARE));
  const room = width - labels - TOOK_WIDTH - OUTCOME_WIDTH - 6;
  const axis = axisOf(turn, bars);
  const lines = bars.flatMap((bar): string[] => {
    const style = paint[lookOf(bar.outcome).colour];
    const label = shortened(`${"  ".repeat(bar.depth)}${bar.label}`, labels);
    const drawn = drawnOn(bar, axis, room, glyphsFor(io)[bar.glyph]);
    const line = [
      label + " ".repeat(Math.max(0, labels - widthOf(label))),
      isTrouble(bar.outcome) ? style(drawn) : drawn,
      dim((bar.isInstant ? "" : durationText(bar.durationUs / 1_000)).padStart(TOOK_WIDTH)),
      style(outcomeText(bar.outcome)),
    ].join("  ");
    const mark = bar.isWanted ? bold(" <") : "";
    const indent = "  ".repeat(bar.depth + 1);
    const below = (text: string) => `${indent}${shortened(text, width - indent.length)}`;
    const why = bar.why === undefined ? [] : [style(below(bar.why))];
    return [`${line.trimEnd()}${mark}`, ...why, ...bar.changes.map((change) => cyan(below(change)))];
  });
  const scale = `${"".padEnd(labels)}  0${durationText(axis.us / 1_000).padStart(room - 1)}`;
  const cut = turn.isCut ? [dim("The turn has more records; only the nearest are shown.")] : [];
  return [...headOf(turn, axis, bold), dim(scale), ...lines, ...cut];
}

interface Axis {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly us: number;
}

function axisOf({ whole }: Turn, bars: readonly Bar[]): Axis {
  const spans = whole ? [whole, ...bars] : bars;
  const from = Math.min(...spans.map(({ at }) => at));
  const until = Math.max(...spans.map(({ at, durationUs }) => (at - from) * 1_000 + durationUs));
  return { from, us: Math.max(1, until) };
}

/** Draws at least one character, however short it was. */
function drawnOn({ at, durationUs, isInstant }: Bar, { from, us }: Axis, room: number, glyph: string): string {
  const start = Math.min(room - 1, Math.floor((((at - from) * 1_000) / us) * room));
  const length = Math.max(1, Math.min(room - start, Math.round((durationUs / us) * room)));
  return `${" ".repeat(start)}${isInstant ? "·" : glyph.repeat(length)}`.padEnd(room);
}

function headOf({ session, turn, whole, steps }: Turn, { from, us }: Axis, bold: Style): string[] {
  const events = steps.filter(({ record }) => record.kind === "event").length;
  const runs = steps.flatMap(({ record, hooks }) => [record, ...hooks]).filter(({ kind }) => kind === "run").length;
  const calls = steps.filter(({ record }) => record.kind === "call").length;
  const name = turn === 0 ? "outside turns" : `turn ${turn}`;
  const ended = whole ? `, ${visible(whole.outcome)}` : "";
  const counts = `${counted(events, "event")}, ${counted(runs, "hook run")}, ${counted(calls, "call")}`;
  return [
    `${bold(`session ${visible(session) || "(unknown)"}, ${name}`)}${ended}`,
    `${localTime(from)}  ${durationText((whole?.durationUs ?? us) / 1_000)}  ${counts}`,
  ];
}

export function traceJson({ session, turn, whole, steps, isCut }: Turn): object {
  return {
    session,
    turn,
    whole: whole ? recordJson(whole) : null,
    steps: steps.map(({ record, hooks }) => recordJson(record, hooks)),
    isCut,
  };
}
