import type { Content, GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import { addSystemNote, fireAfterModelHook, fireBeforeModelHook, fireBeforeToolSelectionHook } from "@hookline/engine";
import { type BeforeToolSelectionHookResult, presentable } from "@hookline/engine/program";
import { ENDED_WELL } from "../models/joinChunks.ts";
import type { AgentState } from "./agentState.ts";
import { callsOf, contentOf, textOf } from "./content.ts";
import { notRun } from "./notRun.ts";
import { type Received, receive } from "./receive.ts";
import { CANCELLED, FINISHED, stoppedBy, type TurnEnd } from "./turnResult.ts";

/** The result of a request. The answer is already in the history; `end` ends the turn. */
export interface ModelStep {
  readonly text: string;
  readonly content?: Content;
  /** The tools that the model may call. */
  readonly selection: BeforeToolSelectionHookResult;
  /** Why the answer is incomplete. Its calls must not run. */
  readonly early?: string;
  readonly end?: TurnEnd;
}

type Prepared =
  | { readonly kind: "ended"; readonly end: TurnEnd }
  | {
      readonly kind: "ready";
      readonly request: GenerateContentParameters;
      readonly selection: BeforeToolSelectionHookResult;
      /** The answer of a hook instead of the model's. */
      readonly synthetic?: GenerateContentResponse;
      /** Whether the turn ends with this answer. */
      readonly isLast: boolean;
    };

/** Sends a request to the model with all of its hooks, from BeforeModel to AfterModel. */
export async function askModel(state: AgentState, signal: AbortSignal): Promise<ModelStep> {
  const prepared = await prepare(state, signal);
  if (prepared.kind === "ended") return { text: "", selection: {}, end: prepared.end };
  const { request, selection, synthetic, isLast } = prepared;
  state.notes.sent();
  const received = synthetic ? { response: synthetic, shown: "" } : await receiveSomething(state, request, signal);
  const after = await fireAfterModelHook(state.config, request, received.response, { signal });
  if (signal.aborted) {
    takeBack(state, received, "interrupted");
    return { text: "", selection, end: CANCELLED };
  }
  state.notes.keep(after);
  const content = contentOf(after.response);
  const text = textOf(content);
  if (after.blocked) takeBack(state, received, "withheld by a hook");
  else if (text !== received.shown) takeBack(state, received, "changed by a hook");
  if (content) keep(state, content, after.response);
  // A rewrite may have dropped the finish reason, but the answer is still incomplete.
  const early = endedEarly(after.response) ?? endedEarly(received.response);
  if (early !== undefined) state.observe({ type: "notice", text: `The model ended its answer early (${early}).` });
  else if (!content) state.observe({ type: "notice", text: "The model's answer is empty." });
  if (text && !after.blocked) state.observe({ type: "answer", text, wasStreamed: text === received.shown });
  const end = after.blocked || after.stopped ? stoppedBy("AfterModel", after) : isLast ? FINISHED : undefined;
  // The history must not contain calls without a response.
  if (end && content) leaveCalls(state, content, end);
  return {
    text: after.blocked ? "" : text,
    selection,
    ...(content ? { content } : {}),
    ...(early === undefined ? {} : { early }),
    ...(end ? { end } : {}),
  };
}

async function prepare(state: AgentState, signal: AbortSignal): Promise<Prepared> {
  const { config, notes } = state;
  const full = notes.addTo(requestOf(state));
  const before = await fireBeforeModelHook(config, full, { signal });
  if (signal.aborted) return { kind: "ended", end: CANCELLED };
  const synthetic = before.syntheticResponse;
  if (before.blocked && !synthetic) return { kind: "ended", end: stoppedBy("BeforeModel", before) };
  const changed = before.modifiedRequest ?? full;
  const request = before.systemMessage ? addSystemNote(changed, before.systemMessage) : changed;
  if (synthetic) return { kind: "ready", request, selection: {}, synthetic, isLast: before.blocked };

  const selection = await fireBeforeToolSelectionHook(config, request, { signal });
  if (signal.aborted) return { kind: "ended", end: CANCELLED };
  if (selection.stopped) return { kind: "ended", end: stoppedBy("BeforeToolSelection", selection) };
  const selected = withSelection(request, selection);
  const noted = selection.systemMessage ? addSystemNote(selected, selection.systemMessage) : selected;
  return { kind: "ready", request: noted, selection, isLast: false };
}

/** Models sometimes send an empty answer; a second request nearly always helps. */
async function receiveSomething(
  state: AgentState,
  request: GenerateContentParameters,
  signal: AbortSignal,
): Promise<Received> {
  const received = await receive(state, request, signal);
  if (contentOf(received.response) || endedEarly(received.response) !== undefined) return received;
  state.observe({ type: "notice", text: "The model's answer is empty; sending the request again." });
  return receive(state, request, signal);
}

/** Why an answer ended early: a limit, a filter, an unreadable call. A truncated answer looks complete otherwise. */
function endedEarly({ candidates = [] }: GenerateContentResponse): string | undefined {
  const { finishReason, finishMessage } = candidates[0] ?? {};
  if (!finishReason || ENDED_WELL.has(finishReason)) return undefined;
  return finishMessage ? `${finishReason}: ${finishMessage}` : finishReason;
}

function requestOf({ model, systemInstruction, history, tools }: AgentState): GenerateContentParameters {
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  return {
    model,
    contents: [...history.contents],
    config: { systemInstruction, ...(tools.length > 0 ? { tools: [{ functionDeclarations }] } : {}) },
  };
}

function withSelection(
  request: GenerateContentParameters,
  { toolConfig, tools }: BeforeToolSelectionHookResult,
): GenerateContentParameters {
  if (!toolConfig && !tools) return request;
  return {
    ...request,
    config: { ...request.config, ...(toolConfig ? { toolConfig } : {}), ...(tools ? { tools } : {}) },
  };
}

function keep({ history }: AgentState, content: Content, response: GenerateContentResponse): void {
  history.add(content);
  const { totalTokenCount } = response.usageMetadata ?? {};
  if (totalTokenCount) history.count(totalTokenCount);
}

function takeBack({ observe }: AgentState, { shown }: Received, why: string): void {
  if (shown) observe({ type: "retracted", why });
}

function leaveCalls({ history, totals }: AgentState, content: Content, end: TurnEnd): void {
  const calls = callsOf(content);
  if (calls.length === 0) return;
  const why = end.kind === "stopped" ? `a hook ended the turn: ${end.by.reason}` : "a hook ended the turn";
  history.add({ role: "user", parts: calls.flatMap((call) => notRun(call, why)) });
  for (const { name = "", args = {} } of calls)
    totals.toolCalls.push({ name, args: presentable(args), status: "cancelled" });
}
