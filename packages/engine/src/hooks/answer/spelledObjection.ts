import type { EventSpec } from "../../events/eventSpec.ts";
import { objectingCodes, SPELLED_OBJECTION } from "../../events/objectionPattern.ts";
import type { Root } from "./objectTrack.ts";

/** An objection in a text, outside any readable object. */
export interface SpelledObjection {
  /** The line that contains it. */
  readonly line: string;
  /** A signal's code, which counts only on events that have it. */
  readonly code: string | undefined;
}

const MAX_LINE = 500;

/** The first objection outside the given objects, which are in text order. */
export function spelledOutside(text: string, roots: readonly Pick<Root, "start" | "end">[]): SpelledObjection[] {
  const found: SpelledObjection[] = [];
  let next = 0;
  for (const match of text.matchAll(SPELLED_OBJECTION)) {
    while ((roots[next]?.end ?? text.length) <= match.index) next += 1;
    const isInside = (roots[next]?.start ?? text.length) <= match.index;
    if (isInside) continue;
    const code = match.groups?.code?.toUpperCase();
    if (found.some((known) => known.code === code)) continue;
    found.push({ line: lineAt(text, match.index), code });
  }
  return found;
}

/** Whether it is an objection on this event. */
export function countsOn({ code }: SpelledObjection, spec: EventSpec): boolean {
  return code === undefined || objectingCodes(spec).includes(code);
}

function lineAt(text: string, index: number): string {
  const start = Math.max(text.lastIndexOf("\n", index) + 1, index - MAX_LINE);
  const end = text.indexOf("\n", index);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + 2 * MAX_LINE)).trim();
}
