import type { ToolResult } from "@hookline/engine";
import type { CreateOutcome, RunOutcome } from "../outcome.ts";

type Refused = Extract<CreateOutcome | RunOutcome, { readonly kind: "unavailable" | "denied" | "awaitingHuman" }>;

/** A result that the model reads as data. */
export function structured(value: object, shown: string): ToolResult {
  return { llmContent: JSON.stringify(value), returnDisplay: shown };
}

/** A refusal with the signals of hooks, so that the model can distinguish a denial from an open question. */
export function refused(outcome: Refused, facts: object): ToolResult {
  const { code, reason, signals, hooks } = outcome;
  const approve = approveWith(outcome);
  const next = approve === undefined ? {} : { approve_with: approve };
  const text = JSON.stringify({ ...facts, ...next, code, reason, hook_signals: signals });
  return {
    llmContent: text,
    returnDisplay: [`${code}: ${reason}`, ...(approve === undefined ? [] : [approve])].join("\n"),
    error: { message: text, type: isPersonsNo(outcome) ? "not_approved" : "blocked_by_hook" },
    ...(hooks.length > 0 ? { blockedBy: hooks } : {}),
  };
}

/** The command with which a user can answer an open question later. */
function approveWith(outcome: Refused): string | undefined {
  return outcome.kind === "awaitingHuman" && outcome.task ? `hookline task approve ${outcome.task.key}` : undefined;
}

/** Whether hooks only asked and a person said no. */
function isPersonsNo({ kind, code }: Refused): boolean {
  return kind !== "awaitingHuman" && code === "ABILITY_REQUIRES_HUMAN";
}
