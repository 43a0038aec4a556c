import type { Content, FunctionCall } from "@google/genai";
import {
  fireAfterAgentHook,
  fireBeforeAgentHook,
  firePromptSubmitHook,
  type HooklineError,
  MAX_AFTER_AGENT_RETRIES,
} from "@hookline/engine";
import { type AbilityHookResult, wrapContext } from "@hookline/engine/program";
import { ProgramError } from "../errors.ts";
import type { AgentState } from "./agentState.ts";
import { askModel } from "./askModel.ts";
import { compress } from "./compression.ts";
import { callsOf, userText } from "./content.ts";
import { currentFiles } from "./currentFiles.ts";
import { notRun } from "./notRun.ts";
import { runCalls } from "./runCalls.ts";
import { hasHooks } from "./sessionSummary.ts";
import { CANCELLED, FINISHED, stoppedBy, type TurnEnd, type TurnResult } from "./turnResult.ts";

/** How many incomplete answers in a row a turn accepts. */
const MAX_CUTS = 3;

export interface TurnInput {
  readonly prompt: string;
  /** The context of SessionStart hooks, which the first accepted prompt includes. */
  readonly takeContext: () => string | undefined;
}

/** Runs a turn from its prompt to its end. Never rejects: a failure is an end too. */
export async function takeTurn(state: AgentState, input: TurnInput, signal: AbortSignal): Promise<TurnResult> {
  let response = "";
  try {
    const end = (await submit(state, input, signal)) ?? (await loop());
    return { response, end };
  } catch (error) {
    return { response, end: signal.aborted ? CANCELLED : { kind: "failed", error } };
  }

  async function loop(): Promise<TurnEnd> {
    let cuts = 0;
    for (let retries = 0; ; ) {
      const step = await takeStep(state, signal);
      if (step.text !== undefined) response = step.text;
      if (step.end) return step.end;
      cuts = step.early === undefined ? 0 : cuts + 1;
      if (step.early !== undefined && cuts === MAX_CUTS) return { kind: "failed", error: cutShort(step.early) };
      if (step.goesOn) continue;
      const turn = { prompt: input.prompt, promptResponse: response, stopHookActive: retries > 0 };
      const after = await fireAfterAgentHook(state.config, turn, { signal });
      if (signal.aborted) return CANCELLED;
      state.notes.keep(after);
      if (after.clearContext) state.history.replace([], "cleared by a hook");
      if (after.stopped) return stoppedBy("AfterAgent", after);
      if (!after.blocked) return FINISHED;
      if (retries === MAX_AFTER_AGENT_RETRIES) return stoppedBy("AfterAgent", after);
      retries += 1;
      const { reason = "" } = after;
      state.observe({ type: "sentBack", reason, attempt: retries });
      state.history.add(userText(reason));
    }
  }
}

/** Runs the hooks of a prompt and adds it to the history; returns an end if they block it. */
async function submit(
  state: AgentState,
  { prompt, takeContext }: TurnInput,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const current_files = hasHooks(state.config, "PromptSubmit") ? currentFiles(state, prompt) : [];
  const submitted = await firePromptSubmitHook(state.config, { user_raw_input: prompt, current_files }, { signal });
  if (signal.aborted) return CANCELLED;
  state.notes.keep(submitted);
  if (submitted.blocked) return stoppedBy("PromptSubmit", submitted);
  const before = await fireBeforeAgentHook(state.config, prompt, { signal });
  if (signal.aborted) return CANCELLED;
  state.notes.keep(before);
  if (before.blocked) return stoppedBy("BeforeAgent", before);
  const said = [takeContext(), before.prompt, before.additionalContext, startTurn(state, submitted)].filter(
    (text) => text !== undefined,
  );
  state.history.add(userText(said.join("\n\n")));
  return before.stopped ? stoppedBy("BeforeAgent", before) : undefined;
}

/** Reports the beginning of the turn. Returns a note for the model if PromptSubmit hooks suggest something. */
function startTurn({ observe }: AgentState, { signals }: AbilityHookResult): string | undefined {
  const control = { type: "control", turn_ready: true, source_event: "PromptSubmit", hook_signals: signals } as const;
  observe(control);
  return signals.length > 0 ? wrapContext(JSON.stringify(control)) : undefined;
}

interface Step {
  /** Undefined without an answer of the model. */
  readonly text?: string;
  /** Whether the model gets another request with the results of tools. */
  readonly goesOn: boolean;
  /** Why the model's calls were not run: its answer was incomplete. */
  readonly early?: string;
  readonly end?: TurnEnd;
}

async function takeStep(state: AgentState, signal: AbortSignal): Promise<Step> {
  await compressIfFull(state, signal);
  const { text, content, selection, early, end } = await askModel(state, signal);
  if (end) return { ...(end.kind === "cancelled" ? {} : { text }), goesOn: false, end };
  const calls = callsOf(content);
  if (calls.length === 0) return { text, goesOn: false };
  if (early !== undefined) {
    state.history.add(refuseCalls(state, calls, early));
    return { text, goesOn: true, early };
  }
  const ran = await runCalls(state, calls, selection, signal);
  state.history.add(ran.content);
  if (signal.aborted) return { text, goesOn: false, end: CANCELLED };
  const { stop } = ran;
  if (!stop) return { text, goesOn: true };
  return {
    text,
    goesOn: false,
    end: stoppedBy(stop.event ?? "BeforeTool", { reason: stop.reason, objectors: stop.hooks }),
  };
}

/** Tells the model that its calls were not run, so that it can use smaller steps. */
function refuseCalls({ totals }: AgentState, calls: readonly FunctionCall[], early: string): Content {
  const why = `the answer ended early (${early}), so none of its calls was run. Do it in smaller steps`;
  for (const { name = "", args = {} } of calls) totals.toolCalls.push({ name, args, status: "cancelled" });
  return { role: "user", parts: calls.flatMap((call) => notRun(call, why)) };
}

function cutShort(early: string): HooklineError {
  const what = `The model ended its answer early (${early}) ${MAX_CUTS} times in a row; none of the calls in it was run.`;
  return new ProgramError({
    code: "MODEL_FAILED",
    what,
    next: "Give the agent a smaller task, or raise the model's output limit.",
  });
}

/** Sends the conversation unchanged if it cannot be compressed; the model decides whether it is too long. */
async function compressIfFull(state: AgentState, signal: AbortSignal): Promise<void> {
  if (state.history.tokens < state.compressAtTokens) return;
  const done = await compress(state, "auto", signal);
  if (done.kind === "notCompressed")
    state.observe({ type: "notice", text: `The conversation was not compressed: ${done.why}.` });
}
