import { presentable } from "../events/plainJson.ts";
import type { Capability } from "./capability.ts";
import { degraded } from "./capability.ts";
import type { FieldRow, HostAnswer, HostOutcome } from "./dialect.ts";
import { nullableText, renamed, same } from "./fieldRows.ts";
import { type Fields, present } from "./fields.ts";

/** Claude Code's wire format, which several hosts speak a part of. */

export const TOOL_ROWS: readonly FieldRow[] = [
  same("tool_name"),
  same("tool_input"),
  renamed("tool_use_id", "tool_call_id"),
];

export const STOP_ROWS: readonly FieldRow[] = [
  same("stop_hook_active"),
  nullableText("last_assistant_message", "prompt_response"),
];

export const PERSON_ONLY: Capability = degraded(
  "person",
  "the person sees the message, the model does not",
  "documented",
);

/** Nothing but the answer is ever printed, and nothing at all when there is nothing to say. */
export function printed(answer: Fields): HostAnswer {
  const said = presentable(present(answer)); // half of a surrogate pair makes Codex's parser reject the whole answer
  return { stdout: Object.keys(said).length === 0 ? "" : JSON.stringify(said), stderr: "", exitCode: 0 };
}

/** An answer before a tool runs. A denial also goes with a stop: without one the tool runs before the session ends. */
export function permission(rewritten: Fields) {
  return (outcome: HostOutcome, event: string): HostAnswer => {
    const { blocks, stops, asks, reason, rewrite, context } = outcome;
    const decision = blocks || stops ? "deny" : asks ? "ask" : undefined;
    return printed({
      ...stopFields(outcome),
      systemMessage: outcome.message,
      hookSpecificOutput: specific(event, {
        ...(decision ? { permissionDecision: decision, permissionDecisionReason: reason } : {}),
        ...(!decision && rewrite !== undefined ? { ...rewritten, updatedInput: rewrite } : {}),
        additionalContext: context,
      }),
    });
  };
}

/**
 * An answer on the other events: `decision: "block"` and `continue: false`. `result` says how a replaced result is spelled; a block replaces
 * it with the reason.
 */
export function decision(result?: (replace: unknown, theirs: unknown) => unknown) {
  return (outcome: HostOutcome, event: string): HostAnswer => {
    const { blocks, reason, context, message } = outcome;
    const replace = blocks ? { llmContent: reason } : outcome.replace;
    return printed({
      ...stopFields(outcome),
      ...(blocks ? { decision: "block", reason } : {}),
      systemMessage: message,
      hookSpecificOutput: specific(event, {
        updatedToolOutput: replace === undefined ? undefined : result?.(replace, outcome.result),
        additionalContext: context,
      }),
    });
  };
}

/** An answer to a host that is about to ask a person. */
export function permissionRequest({ blocks, reason, message }: HostOutcome, event: string): HostAnswer {
  const denial = blocks ? { decision: { behavior: "deny", message: reason } } : {};
  return printed({ systemMessage: message, hookSpecificOutput: specific(event, denial) });
}

function stopFields({ stops, reason }: HostOutcome): Fields {
  return stops ? { continue: false, stopReason: reason } : {};
}

function specific(event: string, fields: Fields): Fields | undefined {
  const said = present(fields);
  return Object.keys(said).length === 0 ? undefined : { hookEventName: event, ...said };
}
