import type { JournalRecord } from "@hookline/journal";
import { effectiveOutcome } from "@hookline/journal/program";
import { isTrouble } from "../../terminal/outcome.ts";

/** The outcome of a record as it took effect. */
export function outcomeOf({ kind, outcome, body }: JournalRecord): string {
  return kind === "run" ? effectiveOutcome(outcome, body.applied) : outcome;
}

/** Whether a hook run needs an explanation. */
export function needsWhy({ kind, outcome }: JournalRecord): boolean {
  return kind === "skip" || isTrouble(outcome);
}

/** The reason in one line, from whatever is known. */
export function whyOf({ body }: JournalRecord): string | undefined {
  const { reason, failure, signal, stderr } = body;
  const [line] = [reason, stderr, failure, signal].flatMap((text) => firstLine(text) ?? []);
  return line;
}

/** The first line that is not empty; with an ellipsis if there are more. */
function firstLine(text: string | undefined): string | undefined {
  const [first, ...more] = text?.split("\n").filter((line) => line.trim() !== "") ?? [];
  return first === undefined || more.length === 0 ? first : `${first.trimEnd()} …`;
}
