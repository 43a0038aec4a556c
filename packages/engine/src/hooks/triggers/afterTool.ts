import { isRecord } from "../answer/answer.ts";
import type { AfterToolHookOutput } from "../answer/hookOutput.ts";
import { neutralise, wrapContext } from "../answer/hookText.ts";
import type { Fields } from "../run/rewrites.ts";
import type { Fired } from "./fireHooks.ts";
import type { ToolResponse } from "./tool.ts";
import {
  byHooks,
  failedResult,
  forModel,
  type ToolContent,
  type ToolError,
  type ToolResult,
  type ToolStop,
  withNote,
} from "./toolResult.ts";
import { objectorsOf, stoppersOf } from "./verdict.ts";

export function toToolResponse({ llmContent, returnDisplay, metadata, error }: ToolResult): ToolResponse {
  return { llmContent, returnDisplay, ...(metadata ? { metadata } : {}), ...(error ? { error } : {}) };
}

/** Applies the hooks' changes to the result; returns a new object if anything changes. */
export function applyAfterTool(result: ToolResult, fired: Fired<"AfterTool">): ToolResult {
  const { finalOutput: output } = fired;
  if (!output) return forModel(result);
  const blocked = output.isBlockingDecision();
  const stopped = output.shouldStopExecution();
  const answered = forModel(blocked ? withheld(result, output) : rewritten(result, output.getModifiedToolResponse()));
  const context = output.getAdditionalContext();
  const told = context === undefined ? answered : withNote(answered, wrapContext(context));
  // A call that replaces this one would undo the objection.
  const tail = blocked || stopped ? undefined : output.getTailToolCallRequest();
  const data = hookData(output);
  return {
    ...told,
    ...(data ? { metadata: { ...told.metadata, hookData: data } } : {}),
    ...(output.suppressOutput ? { suppressDisplay: true } : {}),
    ...(blocked ? byHooks(objectorsOf(fired, ({ blocks }) => blocks)) : {}),
    ...(stopped ? { stop: result.stop ?? stopOf(output, fired) } : {}),
    ...(tail ? { tailToolCallRequest: tail } : {}),
  };
}

function stopOf(output: AfterToolHookOutput, fired: Fired<"AfterTool">): ToolStop {
  return { reason: output.getEffectiveReason(), event: "AfterTool", hooks: stoppersOf(fired) };
}

/** Removes all of the tool's own text, from every field that an agent may read. */
function withheld({ stop, suppressDisplay }: ToolResult, output: AfterToolHookOutput): ToolResult {
  const reason = neutralise(output.reason ?? output.getEffectiveReason());
  return {
    ...failedResult({ message: reason, type: "blocked_by_hook" }),
    ...(stop ? { stop } : {}),
    ...(suppressDisplay ? { suppressDisplay } : {}),
  };
}

function rewritten(result: ToolResult, response: Fields | undefined): ToolResult {
  if (!response) return result;
  const { error: _before, metadata: _old, ...kept } = result;
  const error = readError(response.error);
  return {
    ...kept,
    llmContent: readContent(response.llmContent),
    returnDisplay: isDisplay(response.returnDisplay) ? response.returnDisplay : String(response.returnDisplay ?? ""),
    ...(isRecord(response.metadata) ? { metadata: response.metadata } : {}),
    ...(error ? { error } : {}),
  };
}

function readContent(value: unknown): ToolContent {
  if (Array.isArray(value)) return value.filter(isDisplay);
  return isDisplay(value) ? value : String(value ?? "");
}

/** Null removes the error. */
function readError(value: unknown): ToolError | undefined {
  if (typeof value === "string") return { message: value };
  if (!isRecord(value) || typeof value.message !== "string") return undefined;
  return { message: value.message, ...(typeof value.type === "string" ? { type: value.type } : {}) };
}

const isDisplay = (value: unknown): value is string | object =>
  typeof value === "string" || (typeof value === "object" && value !== null);

/** The hooks' data in addition to the result; a rewritten result is not such data. */
function hookData({ hookSpecificOutput }: AfterToolHookOutput): Fields | undefined {
  const { tool_response: _applied, ...data } = hookSpecificOutput ?? {};
  return Object.keys(data).length > 0 ? data : undefined;
}
