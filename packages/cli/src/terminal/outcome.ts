import type { Colours } from "./colour.ts";
import { visible } from "./visible.ts";

interface Look {
  readonly mark: string;
  readonly colour: keyof Colours;
}

const ALLOWED: Look = { mark: "✓", colour: "green" };
const REFUSED: Look = { mark: "✗", colour: "red" };
const STOPPED: Look = { mark: "■", colour: "red" };
const ASKED: Look = { mark: "?", colour: "yellow" };
const FAILED: Look = { mark: "!", colour: "yellow" };
const SKIPPED: Look = { mark: "–", colour: "dim" };
/** An objection that changed nothing. */
const OBSERVED: Look = { mark: "○", colour: "cyan" };
const OTHER: Look = { mark: "·", colour: "dim" };

/** What a hook, a call or a person's answer came to, by its word. The word stands beside the mark: without colours nothing is lost. */
const LOOKS: ReadonlyMap<string, Look> = new Map([
  ["allow", ALLOWED],
  ["ask", ASKED],
  ["block", REFUSED],
  ["stop", STOPPED],
  ["observed", OBSERVED],
  ["would ask", OBSERVED],
  ["would block", OBSERVED],
  ["would stop", OBSERVED],
  ["failed", FAILED],
  ["abandoned", FAILED],
  ["skipped", SKIPPED],
  ["approved", ALLOWED],
  ["denied", REFUSED],
  // of calls
  ["success", ALLOWED],
  ["error", REFUSED],
  ["blocked", REFUSED],
  ["cancelled", FAILED],
]);

export function lookOf(outcome: string): Look {
  return LOOKS.get(outcome) ?? OTHER;
}

/** `✗ block` */
export function outcomeText(outcome: string): string {
  return outcome === "" ? "" : `${lookOf(outcome).mark} ${visible(outcome)}`;
}

/** Somebody should look at it: an objection, or a failure. */
export function isTrouble(outcome: string): boolean {
  return ![ALLOWED, OBSERVED, SKIPPED, OTHER].includes(lookOf(outcome));
}
