import { EVENTS } from "../events/catalog.ts";
import type { EventSpec } from "../events/eventSpec.ts";
import type { Root } from "./objectTrack.ts";

/** An objection that stands in a text outside any object that could be read. */
export interface SpelledObjection {
  /** The line it stands in. */
  readonly line: string;
  /** It is a signal's code, which means something only on events that have it. */
  readonly code: string | undefined;
}

const MAX_LINE = 500;

const objectingCodes = (spec: EventSpec): string[] =>
  Object.values(spec.signals).flatMap((codes) =>
    Object.entries(codes ?? {}).flatMap(([code, verdict]) => (verdict === "allow" ? [] : [code])),
  );

const CODES = [...new Set(Object.values(EVENTS).flatMap(objectingCodes))].join("|");
const WORDS = "den[yi]|block|ask|reject|refuse";
const DECISION = "(?:permission)?decision";
// Quotes may be escaped (JSON inside a text) or single (Python); keys may be bare (JavaScript) behind a brace or a comma.
// Every repetition follows a character that it does not match itself, so that no text takes more than linear time.
const KEY = (name: string) => `(?:["']${name}\\\\*["']|[{,]\\s*${name})\\s*:\\s*`;
const SPELLED = new RegExp(
  `${KEY(DECISION)}\\\\*["']\\s*(?:${WORDS})|${KEY("continue")}(?:\\\\*["'])?false|${KEY("code")}\\\\*["'](?<code>${CODES})\\b`,
  "gi",
);

/** Whether a text spells an objection anywhere. Cheap: for texts that parse, to find out if they need a closer look. */
export function spellsObjection(text: string): boolean {
  return text.search(SPELLED) >= 0;
}

/** The first objection that is spelled outside the given objects; they are in the order of the text. */
export function spelledOutside(text: string, roots: readonly Root[]): SpelledObjection[] {
  const found: SpelledObjection[] = [];
  let next = 0;
  for (const match of text.matchAll(SPELLED)) {
    while ((roots[next]?.end ?? text.length) <= match.index) next += 1;
    const isInside = (roots[next]?.start ?? text.length) <= match.index;
    if (isInside) continue;
    const code = match.groups?.code?.toUpperCase();
    if (found.some((known) => known.code === code)) continue;
    found.push({ line: lineAt(text, match.index), code });
  }
  return found;
}

/** Whether the event takes it for an objection. */
export function countsOn({ code }: SpelledObjection, spec: EventSpec): boolean {
  return code === undefined || objectingCodes(spec).includes(code);
}

function lineAt(text: string, index: number): string {
  const start = Math.max(text.lastIndexOf("\n", index) + 1, index - MAX_LINE);
  const end = text.indexOf("\n", index);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + 2 * MAX_LINE)).trim();
}
