import { setMaxListeners } from "node:events";
import type { Content, FunctionCall, Part } from "@google/genai";
import { isToolAllowed, type ToolResult } from "@hookline/engine";
import { type BeforeToolSelectionHookResult, presentable, type ToolStop } from "@hookline/engine/program";
import type { AgentState } from "./agentState.ts";
import { responseParts } from "./content.ts";
import { inParallel } from "./inParallel.ts";
import { notRun } from "./notRun.ts";
import { callTool, refuseCall, toolNamed } from "./toolCall.ts";

/** How many tail calls hooks may request in a row. */
export const MAX_TAIL_CALLS = 3;

/** How many calls of an answer run in parallel. A model may send hundreds, and each starts hooks. */
const MAX_PARALLEL_CALLS = 16;

export interface RunCalls {
  /** The responses to all calls, in order. */
  readonly content: Content;
  /** Present if the turn ends after these calls. */
  readonly stop?: ToolStop;
}

/**
 * Runs the calls of an answer. Consecutive calls that only read run in parallel; the others run alone and in order, because the model
 * may rely on the earlier ones.
 */
export async function runCalls(
  state: AgentState,
  calls: readonly FunctionCall[],
  selection: BeforeToolSelectionHookResult,
  signal: AbortSignal,
): Promise<RunCalls> {
  setMaxListeners(0, signal); // every call adds a listener
  const parts: Part[] = [];
  let stop: ToolStop | undefined;
  for (const batch of batches(state, calls)) {
    if (stop) {
      parts.push(...batch.flatMap((call) => skip(state, call, `the turn has ended: ${stop?.reason}`)));
      continue;
    }
    const results = await inParallel(batch, MAX_PARALLEL_CALLS, (call) => runAllowed(state, call, selection, signal));
    for (const [index, call] of batch.entries()) {
      const result = await followTails(state, call, results[index], signal);
      if (!result) continue;
      parts.push(...responseParts(call, result));
      stop ??= result.stop;
    }
  }
  return { content: { role: "user", parts }, ...(stop ? { stop } : {}) };
}

function batches({ tools }: AgentState, calls: readonly FunctionCall[]): FunctionCall[][] {
  const onlyReads = ({ name = "" }: FunctionCall) => toolNamed(tools, name)?.kind === "read";
  const grouped: FunctionCall[][] = [];
  for (const call of calls) {
    const last = grouped.at(-1);
    if (last?.[0] && onlyReads(call) && onlyReads(last[0])) last.push(call);
    else grouped.push([call]);
  }
  return grouped;
}

/** Refuses calls of tools that the selection does not allow, in case the model ignores it. */
function runAllowed(
  state: AgentState,
  call: FunctionCall,
  selection: BeforeToolSelectionHookResult,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { name = "" } = call;
  if (isToolAllowed(selection, name)) return callTool(state, call, signal);
  const allowed = selection.allowedFunctionNames?.join(", ") || "none";
  const message = `Tool call blocked by hook: "${name}" may not be called now. Allowed tools: ${allowed}.`;
  return Promise.resolve(refuseCall(state, call, message, "blocked_by_hook"));
}

/** Runs tail calls after the whole batch: a tail call of a reading call may change something. */
async function followTails(
  state: AgentState,
  asked: FunctionCall,
  first: ToolResult | undefined,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  let result = first;
  for (let tails = 0; result?.tailToolCallRequest && !result.stop; tails += 1) {
    const { name, args } = result.tailToolCallRequest;
    if (tails === MAX_TAIL_CALLS) {
      state.observe({
        type: "notice",
        text: `A hook requested ${name} after ${MAX_TAIL_CALLS} tail calls in a row: refused.`,
      });
      return result;
    }
    result = await callTool(state, { name, args: { ...args } }, signal, asked.name);
  }
  return result;
}

function skip({ totals }: AgentState, call: FunctionCall, why: string): Part[] {
  totals.toolCalls.push({ name: call.name ?? "", args: presentable(call.args ?? {}), status: "cancelled" });
  return notRun(call, why);
}
