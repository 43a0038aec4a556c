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
/** An objection without an effect. */
const OBSERVED: Look = { mark: "○", colour: "cyan" };
const OTHER: Look = { mark: "·", colour: "dim" };

/** The look of each outcome of a hook, a call or an approval. The word is always printed beside the mark, so colours are optional. */
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

/** An outcome that deserves attention: an objection or a failure. */
export function isTrouble(outcome: string): boolean {
  return ![ALLOWED, OBSERVED, SKIPPED, OTHER].includes(lookOf(outcome));
}
