import type { HookEventName } from "../events/catalog.ts";
import { type Capabilities, can, degraded, no, yes } from "./capability.ts";
import { printed } from "./claudeStyle.ts";
import type { Dialect, EventKeys, FieldRow, HostAnswer, HostOutcome, MappedEvent } from "./dialect.ts";
import { same } from "./fieldRows.ts";
import { type Fields, present } from "./fields.ts";
import { tool } from "./toolRows.ts";

const PERSON_ONLY = degraded("person", "the person sees the message, the model does not", "source");
const ASKS_NOBODY = degraded("block", "the host can ask a person only before a tool runs", "tested");
const RESULT_BLOCKED = degraded("block", "the result is blocked, and the reason is the replacement", "tested");

const TOOL_ROWS = ["tool_name", "tool_input", "mcp_context", "original_request_name"].map(same);

interface GeminiEvent extends Pick<MappedEvent, "passes"> {
  readonly about?: string;
  readonly rewrite?: string;
  readonly replace?: string;
  readonly encode?: MappedEvent["encode"];
  readonly can: Capabilities;
}

/** Our events began as its events: names and fields are the same. */
function event(ours: HookEventName, rows: readonly FieldRow[], columns: GeminiEvent): MappedEvent {
  const { about, rewrite, replace, passes = [], encode, can } = columns;
  const keys = {
    ...(rewrite ? { rewrite: { key: rewrite, how: "merge" as const } } : {}),
    ...(replace ? { replace } : {}),
  };
  return { ours, ...(about ? { about } : {}), rows, keys, passes, encode: encode ?? answer(keys), can };
}

/** An answer; `rewrite` and `replace` are keys of `hookSpecificOutput`. */
function answer(keys: EventKeys) {
  return (outcome: HostOutcome): HostAnswer => {
    const { blocks, stops, asks, reason, context, message } = outcome;
    const specific = present({
      ...outcome.passed,
      ...valueAt(keys.rewrite?.key, outcome.rewrite),
      ...valueAt(keys.replace, outcome.replace),
      additionalContext: context,
    });
    return printed({
      ...(stops ? { continue: false, stopReason: reason } : {}),
      ...(blocks ? { decision: "deny", reason } : asks ? { decision: "ask", reason } : {}),
      systemMessage: message,
      hookSpecificOutput: Object.keys(specific).length > 0 ? specific : undefined,
    });
  };
}

const valueAt = (key: string | undefined, value: unknown): Fields => (key === undefined ? {} : { [key]: value });

/** It reads only the tool choice here. No tools is what a block means; the decision beside it says so to readers of the answer. */
function toolChoice(outcome: HostOutcome, event: string): HostAnswer {
  if (!outcome.blocks) return answer({})(outcome);
  return answer({})({
    ...outcome,
    passed: { hookEventName: event, toolConfig: { mode: "NONE", allowedFunctionNames: [] } },
  });
}

export const gemini: Dialect = {
  name: "gemini",
  title: "Gemini CLI",
  agent: { program: "gemini", packageName: "@google/gemini-cli", mark: "GEMINI_CLI" },
  tested: "0.61",
  base: ["session_id", "transcript_path", "cwd", "timestamp"].map(same),
  events: {
    SessionStart: event("SessionStart", [same("source")], {
      about: "it never sends `compress`",
      can: can({ context: yes("tested"), message: PERSON_ONLY }),
    }),
    SessionEnd: event(
      "SessionEnd",
      [
        {
          theirs: "reason",
          ours: "reason",
          decode: (reason) => (reason === "prompt_input_exit" ? "exit" : reason),
          encode: (reason) => (reason === "error" || reason === "timeout" ? "other" : reason),
        },
      ],
      { can: can({ message: PERSON_ONLY }) },
    ),
    BeforeAgent: event("BeforeAgent", [same("prompt")], {
      can: can({
        block: yes("tested"),
        stop: yes("tested"),
        ask: ASKS_NOBODY,
        rewrite: degraded("block", "the prompt is blocked, and the reason has the rewritten prompt", "tested"),
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    }),
    AfterAgent: event("AfterAgent", [same("prompt"), same("prompt_response"), same("stop_hook_active")], {
      passes: ["clearContext"],
      can: can({ block: yes("tested"), stop: yes("tested"), ask: ASKS_NOBODY, message: PERSON_ONLY }),
    }),
    BeforeModel: event("BeforeModel", [same("llm_request")], {
      rewrite: "llm_request",
      replace: "llm_response",
      can: can({
        block: yes("tested"),
        stop: yes("tested"),
        ask: ASKS_NOBODY,
        rewrite: yes("tested"),
        replace: degraded("block", "the turn ends with the response, which counts only beside a block", "tested"),
        message: no("source"),
      }),
    }),
    BeforeToolSelection: event("BeforeToolSelection", [same("llm_request")], {
      passes: ["toolConfig"],
      encode: toolChoice,
      can: can({
        block: yes("tested"),
        stop: degraded("block", "the request has no tools and the turn goes on", "tested"),
        ask: ASKS_NOBODY,
        message: no("source"),
      }),
    }),
    AfterModel: event("AfterModel", [same("llm_request"), same("llm_response")], {
      about: "fires for each chunk of a streamed response",
      replace: "llm_response",
      can: can({
        block: degraded("stop", "the turn ends: after a block the chunk would still be shown", "tested"),
        stop: yes("tested"),
        ask: degraded("stop", "the turn ends: the host can ask a person only before a tool runs", "tested"),
        replace: yes("tested"),
        message: no("source"),
      }),
    }),
    BeforeTool: event("BeforeTool", TOOL_ROWS, {
      rewrite: "tool_input",
      can: can({
        block: yes("tested"),
        stop: yes("tested"),
        ask: degraded("block", "the call is denied: without a terminal an ask never ends", "tested"),
        rewrite: yes("tested"),
        message: PERSON_ONLY,
      }),
    }),
    AfterTool: event("AfterTool", [...TOOL_ROWS, same("tool_response")], {
      about: "does not fire for a tool that throws",
      passes: ["tailToolCallRequest"],
      can: can({
        block: yes("tested"),
        stop: yes("tested"),
        ask: ASKS_NOBODY,
        replace: RESULT_BLOCKED,
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    }),
    Notification: event("Notification", [same("notification_type"), same("message"), same("details")], {
      can: can({ message: PERSON_ONLY }),
    }),
    PreCompress: event("PreCompress", [same("trigger")], {
      about: "fires on every turn, whether compression follows or not",
      can: can({ message: PERSON_ONLY }),
    }),
  },
  tools: ["write_file", "replace", "read_file", "run_shell_command", "glob", "grep_search", "list_directory"].map(
    (name) => tool(name, name),
  ),
  mcpPrefix: null,
  failure: {
    rows: [
      { when: "timeout", action: "runs", evidence: "tested" },
      { when: "exit code 1, crash", action: "runs", evidence: "tested" },
      { when: "exit code 3 or above with text, missing program", action: "is blocked", evidence: "tested" },
      { when: "exit code 2 without text", action: "runs", evidence: "tested" },
      { when: "unreadable answer with exit code 0", action: "runs", evidence: "tested" },
    ],
    timeoutMs: { usual: 60_000, events: {} },
    timeoutEvidence: "source",
  },
};
