import type { JournalRecord } from "@hookline/journal";
import { effectiveOutcome } from "@hookline/journal/program";
import { isTrouble } from "../../terminal/outcome.ts";

/** The outcome of a record as it took effect. */
export function outcomeOf({ kind, outcome, body }: JournalRecord): string {
  return kind === "run" ? effectiveOutcome(outcome, body.applied) : outcome;
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
