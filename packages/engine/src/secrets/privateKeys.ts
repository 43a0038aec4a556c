import { REDACTED } from "./redacted.ts";

const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_REST = /(?<![\w+/=\s\\])[\w+/=\s\\]*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const TO_QUOTE = /[^"'`]*/g;

/** A key without an end is redacted up to the next quote; one without a start, as far back as it looks like a key. */
export function redactPrivateKeys(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  let kept = "";
  let done = 0;
  let lastEnd = text.length;
  for (const { index } of text.matchAll(KEY_BEGINS)) {
    if (index < done) continue;
    kept += text.slice(done, index) + REDACTED;
    // If there is no end here, there is none further on.
    if (lastEnd >= index) lastEnd = endOf(KEY_ENDS, text, index);
    done = lastEnd >= index ? lastEnd : endOf(TO_QUOTE, text, index);
  }
  return (kept + text.slice(done)).replace(KEY_REST, REDACTED);
}

/** The end of the next match; -1 if there is none. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
