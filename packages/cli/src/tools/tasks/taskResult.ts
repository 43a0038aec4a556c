import type { ToolResult } from "@hookline/engine";
import type { Refusal } from "../../abilities/outcome.ts";

/** A result that the model reads as data. */
export function structured(value: object, shown: string): ToolResult {
  return { llmContent: JSON.stringify(value), returnDisplay: shown };
}

/** What hooks or a person had against it, with their signals: the model can tell a denial from a question that waits. */
export function refused({ code, reason, signals, hooks }: Refusal, facts: object): ToolResult {
  const text = JSON.stringify({ ...facts, code, reason, hook_signals: signals });
  const type = code === "ABILITY_REQUIRES_HUMAN" ? "not_approved" : "blocked_by_hook";
  return {
    llmContent: text,
    returnDisplay: `${code}: ${reason}`,
    error: { message: text, type },
    ...(hooks.length > 0 ? { blockedBy: hooks } : {}),
  };
}
