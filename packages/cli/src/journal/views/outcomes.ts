import type { Colours } from "../../colour.ts";
import { visible } from "../../visible.ts";
import type { JournalRecord } from "../record.ts";

interface Look {
  readonly mark: string;
  readonly colour: keyof Colours;
}

const ALLOWED: Look = { mark: "✓", colour: "green" };
const REFUSED: Look = { mark: "✗", colour: "red" };
const FAILED: Look = { mark: "!", colour: "yellow" };
const ASKED: Look = { mark: "?", colour: "yellow" };

/** The words stand beside the marks: without colours nothing is lost. */
const LOOKS: ReadonlyMap<string, Look> = new Map([
  ["allow", ALLOWED],
  ["ask", ASKED],
  ["block", REFUSED],
  ["stop", { mark: "■", colour: "red" }],
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

/** Somebody should look at it: an objection, or a failure. */
export function isTrouble(outcome: string): boolean {
  return outcome !== "skipped" && lookOf(outcome) !== ALLOWED && lookOf(outcome) !== OTHER;
}

/** Why, on one line, by whatever is known about it. */
export function whyOf({ body }: JournalRecord): string | undefined {
  const { reason, failure, signal, stderr } = body;
  const [line] = [reason, stderr, failure, signal].flatMap((text) => firstLine(text) ?? []);
  return line;
}

function firstLine(text: string | undefined): string | undefined {
  return text?.split("\n").find((line) => line.trim() !== "");
}
