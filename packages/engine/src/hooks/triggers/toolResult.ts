import type { HookSignal } from "../../events/abilitySchemas.ts";
import { isRecord } from "../answer/answer.ts";
import { neutralise, systemNote, wrapContext } from "../answer/hookText.ts";

/** A part of a model SDK, such as `{ text }`. */
export type ToolPart = object;
export type ToolContent = string | ToolPart | (string | ToolPart)[];

export interface ToolError {
  readonly message: string;
  /** Ours: `invalid_tool_params`, `blocked_by_hook`, `stopped_by_hook`, `not_approved`, `cancelled`, `execution_failed`. */
  readonly type?: string;
}

/**
 * The result of a tool call. Agents send `llmContent` to the model or, if the call failed, `error.message`. Agents may change their
 * own results; hooks and triggers never change one that they are given.
 */
export interface ToolResult {
  llmContent: ToolContent;
  /** For the person. */
  returnDisplay: string | object;
  error?: ToolError;
  metadata?: Record<string, unknown>;
  /** Hidden from the person; the model gets it. */
  suppressDisplay?: boolean;
  /** The turn ends with this result: hooks or the caller stopped it. */
  readonly stop?: ToolStop;
  /** The hooks that refused the call, or withheld its result. */
  readonly blockedBy?: readonly string[];
  /** A call that a hook wants made next, instead of this one; the agent decides and makes it. */
  readonly tailToolCallRequest?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
}

export interface ToolStop {
  readonly reason: string;
  readonly event?: "BeforeTool" | "AfterTool";
  /** The hooks' names; empty if the caller cancelled, or no hook could run. */
  readonly hooks: readonly string[];
}

export function failedResult(error: ToolError): ToolResult {
  return { llmContent: error.message, returnDisplay: error.message, error };
}

/** The turn continues, and the model is told why this call did not run. */
export function blockedResult(reason: string, blockedBy: readonly string[] = []): ToolResult {
  const message = `Tool call blocked by hook: ${neutralise(reason)}`;
  return { ...failedResult({ message, type: "blocked_by_hook" }), ...byHooks(blockedBy) };
}

/** Adds names if there are any: a call may also be refused because no hook could run. */
export function byHooks(names: readonly string[]): Pick<ToolResult, "blockedBy"> {
  return names.length > 0 ? { blockedBy: names } : {};
}

export function cancelledResult(when: string): ToolResult {
  const reason = `Cancelled ${when}`;
  return { ...failedResult({ message: reason, type: "cancelled" }), stop: { reason, hooks: [] } };
}

/** The model's copy of a result: text of tools and hooks cannot forge the engine's own marks. The display stays unchanged. */
export function forModel(result: ToolResult): ToolResult {
  const { llmContent, error } = result;
  const content = Array.isArray(llmContent) ? neutralisedParts(llmContent) : neutralisedPart(llmContent);
  const message = neutralisedPart(error?.message);
  if (content === llmContent && message === error?.message) return result;
  return { ...result, llmContent: content, ...(error ? { error: { ...error, message: message ?? "" } } : {}) };
}

/** Adds text for the model where agents look for it: in the content and, if the call failed, in the error. */
export function withNote(result: ToolResult, note: string): ToolResult {
  const { error } = result;
  return {
    ...result,
    llmContent: appendText(result.llmContent, `\n\n${note}`),
    ...(error ? { error: { ...error, message: `${error.message}\n\n${note}` } } : {}),
  };
}

/** Adds the hooks' messages to the model: as notes, and as data. */
export function withMessages(result: ToolResult, messages: readonly string[]): ToolResult {
  if (messages.length === 0) return result;
  const noted = messages.reduce((before, message) => withNote(before, systemNote(message)), result);
  return { ...noted, metadata: { ...noted.metadata, hookMessages: [...messages] } };
}

/** Adds the guards' signals as data: a model can act on a code and its payload, not only on a sentence. */
export function withSignals(result: ToolResult, signals: readonly HookSignal[]): ToolResult {
  if (signals.length === 0) return result;
  const noted = withNote(result, wrapContext(JSON.stringify({ hook_signals: signals })));
  return { ...noted, metadata: { ...noted.metadata, hookSignals: signals } };
}

/** The signals, from guards that allowed a call, that say more than allow. */
export function warningsIn(signals: readonly HookSignal[]): readonly HookSignal[] {
  return signals.filter(({ severity = "info", payload }) => {
    return severity !== "info" || (isRecord(payload) && Object.keys(payload).length > 0);
  });
}

/** Checks the result of a tool, which may be written without types. */
export function isToolResult(value: unknown): value is ToolResult {
  return isRecord(value);
}

function neutralisedParts<Part>(parts: Part[]): Part[] {
  const safe = parts.map(neutralisedPart);
  return safe.every((part, index) => part === parts[index]) ? parts : safe;
}

function neutralisedPart<Part>(part: Part): Part;
function neutralisedPart(part: unknown): unknown {
  if (typeof part === "string") return neutralise(part);
  if (!isRecord(part) || typeof part.text !== "string") return part;
  const text = neutralise(part.text);
  return text === part.text ? part : { ...part, text };
}

function appendText(content: ToolContent | null | undefined, text: string): ToolContent {
  if (content === undefined || content === null) return text.trimStart();
  if (typeof content === "string") return content + text;
  return Array.isArray(content) ? [...content, { text }] : [content, { text }];
}
