import type { EventSpec } from "../../events/eventSpec.ts";
import { objectingCodes, SPELLED_OBJECTION } from "../../events/objectionPattern.ts";
import type { Root } from "./objectTrack.ts";

/** An objection that stands in a text outside any object that could be read. */
export interface SpelledObjection {
  /** The line it stands in. */
  readonly line: string;
  /** It is a signal's code, which means something only on events that have it. */
  readonly code: string | undefined;
}

const MAX_LINE = 500;

/** The first objection that is spelled outside the given objects; they are in the order of the text. */
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

/** Whether the event takes it for an objection. */
export function countsOn({ code }: SpelledObjection, spec: EventSpec): boolean {
  return code === undefined || objectingCodes(spec).includes(code);
}

function lineAt(text: string, index: number): string {
  const start = Math.max(text.lastIndexOf("\n", index) + 1, index - MAX_LINE);
  const end = text.indexOf("\n", index);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + 2 * MAX_LINE)).trim();
}
