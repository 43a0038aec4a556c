import { type Colours, colours, type Style } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { widthOf } from "../terminal/table.ts";
import { wrapped } from "../terminal/wrapped.ts";

export type Who = "you" | "agent" | "tool" | "hook" | "note";

export interface Line {
  readonly text: string;
  readonly colour?: keyof Colours;
}

/** One step of the session. */
export interface Row {
  readonly who: Who;
  /** Colour of the mark; hook rows use it for the bar, too. */
  readonly colour: keyof Colours;
  readonly mark?: string;
  /** In bold, before the title. */
  readonly name?: string;
  readonly title?: string;
  /** Dimmed detail. */
  readonly aside?: string;
  readonly lines?: readonly Line[];
  /** Continues the row before: do not repeat the speaker. */
  readonly goesOn?: boolean;
}

const TIME_WIDTH = 8;
const WHO_WIDTH = 6;
const GUTTER_WIDTH = TIME_WIDTH + 2 + WHO_WIDTH + 3;
const NARROWEST = 30;

/** `  0.31 s  hook   ┃ ✗ protect-production blocks  BeforeTool · 6 ms`, followed by the lines of its message. */
export function rowView(
  row: Row,
  seconds: number,
  { io, width }: { readonly io: Io; readonly width: number },
): string[] {
  const paint = colours(io);
  const { dim } = paint;
  const room = Math.max(NARROWEST, width - GUTTER_WIDTH);
  const bar = row.who === "hook" ? paint[row.colour]("┃") : dim("│");
  const time = dim(`${seconds.toFixed(2)} s`.padStart(TIME_WIDTH));
  const who = WHO_STYLES[row.who](paint)((row.goesOn ? "" : row.who).padEnd(WHO_WIDTH));
  const start = `${time}  ${who} ${bar} `;
  const indent = `${" ".repeat(TIME_WIDTH + 2 + WHO_WIDTH)} ${bar} `;
  const lines = [...headLines(row, room, paint), ...bodyLines(row, room, paint)];
  return lines.map((line, index) => `${index === 0 ? start : indent}${line}`.trimEnd());
}

/** An empty row. */
export function pauseView(io: Io): string {
  return colours(io).dim(`${" ".repeat(TIME_WIDTH + 2 + WHO_WIDTH)} │`);
}

const WHO_STYLES: Readonly<Record<Who, (paint: Colours) => Style>> = {
  you: ({ bold }) => bold,
  agent: ({ cyan }) => cyan,
  tool: ({ dim }) => dim,
  hook: ({ bold }) => bold,
  note: ({ yellow }) => yellow,
};

function headLines({ mark, name = "", title = "", aside = "", colour }: Row, room: number, paint: Colours): string[] {
  if (!name && !title) return [];
  const sign = mark === undefined ? "" : `${mark} `;
  const gap = name && title ? " " : "";
  const start = `${sign}${name}${gap}`;
  const [first = "", ...more] = wrapped(title, room - widthOf(start));
  const styled = `${sign && paint[colour](sign)}${paint.bold(name)}${gap}${first}`;
  const lines = [styled, ...more.map((line) => `  ${line}`)];
  if (aside === "") return lines;
  const fits = more.length === 0 && widthOf(`${start}${first}  ${aside}`) <= room;
  return fits ? [`${styled}  ${paint.dim(aside)}`] : [...lines, `  ${paint.dim(aside)}`];
}

function bodyLines({ name, title, lines = [] }: Row, room: number, paint: Colours): string[] {
  const indent = name || title ? "  " : "";
  return lines.flatMap(({ text, colour }) =>
    wrapped(text, room - indent.length).map((line) => `${indent}${colour === undefined ? line : paint[colour](line)}`),
  );
}
