import type { Colours } from "../../terminal/colour.ts";
import { visible } from "../../terminal/visible.ts";
import { effectiveOutcome } from "../effectiveOutcome.ts";
import type { JournalRecord } from "../record.ts";

interface Look {
  readonly mark: string;
  readonly colour: keyof Colours;
}

const ALLOWED: Look = { mark: "✓", colour: "green" };
const REFUSED: Look = { mark: "✗", colour: "red" };
const FAILED: Look = { mark: "!", colour: "yellow" };
const ASKED: Look = { mark: "?", colour: "yellow" };
/** An objection that changed nothing. */
const OBSERVED: Look = { mark: "○", colour: "cyan" };

/** The words stand beside the marks: without colours nothing is lost. */
const LOOKS: ReadonlyMap<string, Look> = new Map([
  ["allow", ALLOWED],
  ["ask", ASKED],
  ["block", REFUSED],
  ["stop", { mark: "■", colour: "red" }],
  ["would ask", OBSERVED],
  ["would block", OBSERVED],
  ["would stop", OBSERVED],
  ["failed", FAILED],
  ["abandoned", FAILED],
  ["skipped", { mark: "–", colour: "dim" }],
  ["approved", ALLOWED],
  ["denied", REFUSED],
  // of calls
  ["success", ALLOWED],
  ["error", REFUSED],
  ["blocked", REFUSED],
  ["cancelled", FAILED],
]);
const OTHER: Look = { mark: "·", colour: "dim" };

export function lookOf(outcome: string): Look {
  return LOOKS.get(outcome) ?? OTHER;
}

/** `✗ block` */
export function outcomeText(outcome: string): string {
  return outcome === "" ? "" : `${lookOf(outcome).mark} ${visible(outcome)}`;
}

/** The outcome of a record as it took effect. */
export function outcomeOf({ kind, outcome, body }: JournalRecord): string {
  return kind === "run" ? effectiveOutcome(outcome, body.applied) : outcome;
}

/** Somebody should look at it: an objection, or a failure. */
export function isTrouble(outcome: string): boolean {
  return outcome !== "skipped" && ![ALLOWED, OBSERVED, OTHER].includes(lookOf(outcome));
}

/** Whether there is more to say about a hook than that it ran. */
export function needsWhy({ kind, outcome }: JournalRecord): boolean {
  return kind === "skip" || isTrouble(outcome);
}

/** Why, on one line, by whatever is known about it. */
export function whyOf({ body }: JournalRecord): string | undefined {
  const { reason, failure, signal, stderr } = body;
  const [line] = [reason, stderr, failure, signal].flatMap((text) => firstLine(text) ?? []);
  return line;
}

/** The first that says something; three dots where there is more. */
function firstLine(text: string | undefined): string | undefined {
  const [first, ...more] = text?.split("\n").filter((line) => line.trim() !== "") ?? [];
  return first === undefined || more.length === 0 ? first : `${first.trimEnd()} …`;
}
