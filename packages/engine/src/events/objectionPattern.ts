import { EVENTS } from "./catalog.ts";
import type { EventSpec } from "./eventSpec.ts";

/** The signal codes that deny or ask on an event. */
export const objectingCodes = (spec: EventSpec): string[] =>
  Object.values(spec.signals).flatMap((codes) =>
    Object.entries(codes ?? {}).flatMap(([code, verdict]) => (verdict === "allow" ? [] : [code])),
  );

const CODES = [...new Set(Object.values(EVENTS).flatMap(objectingCodes))].join("|");
const WORDS = "den[yi]|block|ask|reject|refuse";
const DECISION = "(?:permission)?decision";
// Quotes may be escaped (JSON inside a text), single (Python) or curly (a word processor); keys may be unquoted (JavaScript) after a
// brace or a comma; an arrow may replace the colon (Ruby, PHP).
// Every repetition follows a character that it does not match itself, so that matching takes linear time.
const KEY = (name: string) => `(?:["'“”]${name}\\\\*["'“”]|[{,]\\s*:?${name})\\s*(?::|=>)\\s*`;
/** An objection as it may appear in a text, in JSON or similar. */
export const SPELLED_OBJECTION = new RegExp(
  `${KEY(DECISION)}\\\\*["'“”]\\s*(?:${WORDS})|${KEY("continue")}(?:\\\\*["'])?false|${KEY("code")}\\\\*["'](?<code>${CODES})\\b`,
  "gi",
);

/** Whether a text contains an objection. A cheap check for texts that parse, to decide whether they need a closer look. */
export function spellsObjection(text: string): boolean {
  return text.search(SPELLED_OBJECTION) >= 0;
}
