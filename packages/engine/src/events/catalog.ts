import { z } from "zod";
import { postAbilityCall, preAbilityCall, preAbilityCreate, promptSubmit, sessionStop } from "./abilitySchemas.ts";
import { agentAnswer } from "./answerSchema.ts";
import { event } from "./event.ts";
import type { EventSpec } from "./eventSpec.ts";
import { hookToolConfig, llmRequest, llmResponse } from "./modelSchemas.ts";
import { SAMPLES } from "./samples.ts";
import { executedToolCall, tailToolCallRequest, toolCall, toolResponse } from "./toolSchemas.ts";

const text = () => z.string();
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const tool = { field: "tool_name", kind: "tool" } as const;

const toolName = { field: "tool_name", form: "text" } as const;
const toolInput = { field: "tool_input", form: "object", optional: true } as const;
const modelRequest = { field: "llm_request", form: "sdkRequest" } as const;
const modelResponse = { field: "llm_response", form: "sdkResponse" } as const;

export const EVENTS = {
  SessionStart: event({
    vocabulary: "agent",
    fires: "when a session begins, resumes, was cleared or was compressed",
    rare: true,
    subject: { field: "source", kind: "trigger" },
    input: () =>
      z.object({
        source: z.enum(["startup", "resume", "clear", "compress"]),
        trigger: z.enum(["Startup", "Resume", "Clear", "Compress"]).optional().describe("the source, capitalised"),
      }),
    positional: [{ field: "source", form: "word" }],
    substitutes: { source: "trigger" },
    answer: () => agentAnswer({ additionalContext: text() }),
    complete: ({ source }) => ({ trigger: capitalised(String(source)) }),
    honours: ["additionalContext"],
    merge: "collect",
    sample: SAMPLES.SessionStart,
  }),
  SessionEnd: event({
    vocabulary: "agent",
    fires: "once for every SessionStart other than compress",
    rare: true,
    subject: { field: "reason", kind: "trigger" },
    input: () => z.object({ reason: z.enum(["exit", "clear", "logout", "error", "timeout", "other"]) }),
    positional: [{ field: "reason", form: "word" }],
    merge: "collect",
    sample: SAMPLES.SessionEnd,
  }),
  BeforeAgent: event({
    vocabulary: "agent",
    fires: "once per user prompt",
    input: () => z.object({ prompt: text() }),
    positional: [{ field: "prompt", form: "text" }],
    answer: () => agentAnswer({ additionalContext: text(), prompt: text() }),
    may: {
      block: "the prompt is not stored, the model is not called, the turn ends",
      stop: "the prompt is stored, the turn ends",
    },
    honours: ["additionalContext", "prompt"],
    rewrites: [{ field: "prompt", type: "text", how: "replace" }],
    contextChain: "prompt",
    merge: "strictest",
    output: "beforeAgent",
    sample: SAMPLES.BeforeAgent,
  }),
  AfterAgent: event({
    vocabulary: "agent",
    fires: "when the model ended the turn by itself; not after a block, stop, abort or error",
    input: () =>
      z.object({
        prompt: text(),
        prompt_response: text().describe("that turn's answer, verbatim"),
        stop_hook_active: z.boolean().default(false).describe("true when an earlier objection caused this answer"),
      }),
    positional: [
      { field: "prompt", form: "text" },
      { field: "prompt_response", form: "text" },
      { field: "stop_hook_active", form: "flag", optional: true },
    ],
    answer: () => agentAnswer({ clearContext: z.boolean() }),
    may: { block: "the reason goes back to the model, at most 5 times", stop: "the turn ends" },
    honours: ["clearContext"],
    merge: "stopFirst",
    output: "afterAgent",
    sample: SAMPLES.AfterAgent,
  }),
  BeforeModel: event({
    vocabulary: "agent",
    fires: "before each model request, not again for a transport retry",
    input: () => z.object({ llm_request: llmRequest }),
    positional: [modelRequest],
    withheld: ["llm_request"],
    answer: () => agentAnswer({ llm_request: llmRequest.partial(), llm_response: llmResponse }),
    may: {
      block: "the model is not called, the turn ends with the reason",
      stop: "the model is not called, the turn ends with the reason",
    },
    honours: ["llm_request", "llm_response"],
    rewrites: [{ field: "llm_request", type: "object", how: "merge", deep: ["config", "toolConfig"] }],
    forms: { llm_request: "llmRequest", llm_response: "llmResponse" },
    standsIn: "llm_response",
    merge: "strictest",
    output: "beforeModel",
    sample: SAMPLES.BeforeModel,
  }),
  BeforeToolSelection: event({
    vocabulary: "agent",
    fires: "after BeforeModel, if the request carries tools",
    input: () => z.object({ llm_request: llmRequest }),
    positional: [modelRequest],
    withheld: ["llm_request"],
    answer: () => agentAnswer({ toolConfig: hookToolConfig }),
    may: { block: "no tools in this request", stop: "the turn ends" },
    honours: ["toolConfig"],
    forms: { toolConfig: "toolConfig" },
    merge: "toolSelection",
    output: "beforeToolSelection",
    sample: SAMPLES.BeforeToolSelection,
  }),
  AfterModel: event({
    vocabulary: "agent",
    fires: "after the complete response of the model",
    input: () => z.object({ llm_request: llmRequest, llm_response: llmResponse }),
    positional: [modelRequest, modelResponse],
    withheld: ["llm_request"],
    answer: () => agentAnswer({ llm_response: llmResponse }),
    may: {
      block: "the response is discarded, the turn ends with the reason",
      stop: "the response is kept, its tool calls are not run, the turn ends",
    },
    honours: ["llm_response"],
    rewrites: [{ field: "llm_response", type: "object", how: "replace" }],
    forms: { llm_response: "llmResponse" },
    merge: "strictest",
    output: "afterModel",
    sample: SAMPLES.AfterModel,
  }),
  BeforeTool: event({
    vocabulary: "agent",
    fires: "before a tool's arguments are validated, approved and run",
    subject: tool,
    input: () => toolCall,
    positional: [toolName, toolInput],
    pathsIn: "tool_input",
    answer: () => agentAnswer({ tool_input: z.object({}) }),
    may: {
      block: "the tool is not run, the model is told the reason, the turn goes on",
      stop: "the tool is not run, the turn ends",
      ask: "a person decides; denied if there is no person to ask",
    },
    honours: ["tool_input"],
    rewrites: [{ field: "tool_input", type: "object", how: "merge" }],
    merge: "strictest",
    output: "beforeTool",
    sample: SAMPLES.BeforeTool,
  }),
  AfterTool: event({
    vocabulary: "agent",
    fires: "after a tool call that ran, failed or threw",
    subject: tool,
    input: () => executedToolCall,
    positional: [toolName, toolInput, { field: "tool_response", form: "object" }],
    pathsIn: "tool_input",
    answer: () =>
      agentAnswer({ additionalContext: text(), tool_response: toolResponse.partial(), tailToolCallRequest }),
    may: { block: "the result is replaced by the reason", stop: "the result is kept, the turn ends" },
    honours: ["additionalContext", "tool_response", "tailToolCallRequest"],
    keepsData: true,
    rewrites: [{ field: "tool_response", type: "object", how: "merge" }],
    merge: "strictest",
    output: "afterTool",
    sample: SAMPLES.AfterTool,
  }),
  Notification: event({
    vocabulary: "agent",
    fires: "before a person is asked",
    facing: "infra",
    subject: { field: "notification_type", kind: "trigger" },
    input: () =>
      z.object({
        notification_type: text().describe("ToolPermission"),
        message: text(),
        details: z
          .looseObject({ type: z.enum(["edit", "exec", "mcp", "info"]), title: text() })
          .describe(
            "edit: filePath, fileName, fileDiff, originalContent, newContent; exec: command, rootCommand, dir; mcp: serverName, toolName, toolDisplayName, arguments; info: filePath or toolName",
          ),
      }),
    positional: [
      { field: "notification_type", form: "text" },
      { field: "message", form: "text" },
      { field: "details", form: "object" },
    ],
    merge: "collect",
    sample: SAMPLES.Notification,
  }),
  PreCompress: event({
    vocabulary: "agent",
    fires: "only when compression really follows",
    rare: true,
    subject: { field: "trigger", kind: "trigger" },
    input: () => z.object({ trigger: z.enum(["manual", "auto"]) }),
    positional: [{ field: "trigger", form: "word" }],
    merge: "collect",
    sample: SAMPLES.PreCompress,
  }),
  PromptSubmit: event({
    vocabulary: "ability",
    fires: "when a new task or message is submitted, before planning",
    input: () => promptSubmit,
    may: { block: "the turn is not planned" },
    signals: { routing_hint: null, normalized_intent: null },
    merge: "signals",
    output: "ability",
    sample: SAMPLES.PromptSubmit,
  }),
  PreAbilityCreate: event({
    vocabulary: "ability",
    fires: "right before a task is created for an ability",
    subject: { field: "ability_ref.value", kind: "ability" },
    input: () => preAbilityCreate,
    may: { block: "no task is created", ask: "a person decides before the task is created" },
    signals: {
      ability_preflight: { ABILITY_AVAILABLE: "allow", ABILITY_UNAVAILABLE: "deny", ABILITY_REQUIRES_HUMAN: "ask" },
    },
    merge: "signals",
    output: "ability",
    sample: SAMPLES.PreAbilityCreate,
  }),
  PreAbilityCall: event({
    vocabulary: "ability",
    fires: "right before an ability or a tool is executed",
    subject: { field: "ability_id", kind: "ability" },
    input: () => preAbilityCall,
    may: { block: "the ability is not run", ask: "a person decides before it runs" },
    signals: {
      ability_guard: { ABILITY_ALLOWED: "allow", ABILITY_DENIED: "deny", ABILITY_REQUIRES_HUMAN: "ask" },
    },
    merge: "signals",
    output: "ability",
    sample: SAMPLES.PreAbilityCall,
  }),
  PostAbilityCall: event({
    vocabulary: "ability",
    fires: "right after an ability or a tool finished",
    facing: "infra",
    subject: { field: "ability_id", kind: "ability" },
    input: () => postAbilityCall,
    conditions: { min_duration_ms: "duration_ms" },
    merge: "infra",
    output: "ability",
    sample: SAMPLES.PostAbilityCall,
  }),
  SessionStop: event({
    vocabulary: "ability",
    fires: "once before each SessionEnd",
    rare: true,
    facing: "infra",
    input: () => sessionStop,
    conditions: { only_if_changed_paths: "changed_files" },
    merge: "infra",
    output: "ability",
    sample: SAMPLES.SessionStop,
  }),
} satisfies Record<string, EventSpec>;

export type HookEventName = keyof typeof EVENTS;

/** The names as values, for callers that prefer `HookEventName.BeforeTool` to a string. */
export const HookEventName = Object.freeze(Object.fromEntries(Object.keys(EVENTS).map((name) => [name, name]))) as {
  readonly [Name in HookEventName]: Name;
};
