import { TRUST_LEVEL } from "../config/hookDeclaration.ts";
import type { ErrorCode } from "../errors.ts";
import type { EventSpec } from "../events/eventSpec.ts";
import type { ToolNames } from "../events/toolNames.ts";
import type { Answer } from "./answer.ts";
import { createOutput, type DefaultHookOutput, type HookOutput } from "./hookOutput.ts";
import type { HookExecutionResult } from "./hookRunner.ts";
import { MERGES } from "./merge/index.ts";
import type { Merged } from "./merge/merged.ts";
import type { Execution } from "./planExecution.ts";
import type { Decision, Rewrite } from "./recorder.ts";
import type { Fields } from "./rewrites.ts";

export interface HookError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hook?: string;
}

/** What an event came to. `success` is the hooks' health: a block is healthy, a crash is not. */
export interface AggregatedHookResult<Output extends DefaultHookOutput = DefaultHookOutput> {
  readonly success: boolean;
  readonly finalOutput?: Output;
  readonly allOutputs: readonly HookOutput[];
  readonly errors: readonly HookError[];
  readonly totalDuration: number;
  /** What was changed, from what, and by whom. */
  readonly rewrites: readonly Rewrite[];
  readonly results: readonly HookExecutionResult[];
}

export const EMPTY_RESULT: AggregatedHookResult = Object.freeze({
  success: true,
  allOutputs: [],
  errors: [],
  totalDuration: 0,
  rewrites: [],
  results: [],
});

/** Merges what the hooks answered, by the strategy of the event's row. Pure. */
export class HookAggregator {
  readonly #tools: ToolNames;

  constructor(tools: ToolNames) {
    this.#tools = tools;
  }

  aggregateResults(execution: Execution, spec: EventSpec, sequential: boolean): AggregatedHookResult {
    const { results, rewrites, value } = execution;
    const answered = results.filter((result) => result.answer !== undefined);
    const aborted = results.some(({ failure }) => failure?.kind === "aborted");
    const failed = results.filter(({ failure }) => failure !== undefined);
    const base = {
      success: failed.length === 0,
      errors: failed.map(toError),
      allOutputs: answered.map(({ answer }) => (answer ? toOutput(answer, {}) : {})),
      totalDuration: 0,
      rewrites,
      results,
    };
    if (answered.length === 0 && !aborted) return base;
    const answers = answered.flatMap(({ answer, hook }) =>
      answer ? [{ ...answer, trust: TRUST_LEVEL[hook.entry.source] }] : [],
    );
    const merged = MERGES[spec.merge](answers, { sequential, tools: this.#tools });
    const data = toOutput(aborted ? cancelled(merged, spec) : merged, rewritten(rewrites, value.fields));
    return { ...base, finalOutput: createOutput(spec.output, data) };
  }
}

/** Nobody goes on with an action whose guards were cut short. */
function cancelled(merged: Merged, spec: EventSpec): Merged {
  const reason = "Cancelled while its hooks were running";
  if ("stop" in spec.may) return { ...merged, stops: true, stopReasons: [...merged.stopReasons, reason] };
  if ("block" in spec.may) return { ...merged, blocks: true, reasons: [...merged.reasons, reason] };
  return merged;
}

/** The fields that hooks rewrote, each with its whole final value. */
function rewritten(rewrites: readonly Rewrite[], fields: Fields): Fields {
  return Object.fromEntries(rewrites.flatMap(({ path: [field] }) => (field ? [[field, fields[field]]] : [])));
}

function toOutput(merged: Merged | Answer, changed: Fields): HookOutput {
  const { blocks, stops, asks, contexts, signals, logs } = merged;
  const specific: Record<string, unknown> = { ...merged.specific, ...changed };
  if (contexts.length > 0) specific.additionalContext = contexts.join("\n");
  const decision = blocks ? "block" : asks ? "ask" : stops ? undefined : "allow";
  return {
    ...(stops ? { continue: false } : {}),
    ...text("stopReason", merged.stopReasons),
    ...(decision ? { decision } : {}),
    ...text("reason", merged.reasons),
    ...text("systemMessage", merged.messages),
    ...(merged.suppressOutput ? { suppressOutput: true } : {}),
    ...(Object.keys(specific).length > 0 ? { hookSpecificOutput: specific } : {}),
    ...(signals.length > 0 ? { hook_signals: signals } : {}),
    ...(logs.length > 0 ? { logs } : {}),
  };
}

function text(key: string, lines: readonly string[]): Record<string, string> {
  return lines.length > 0 ? { [key]: lines.join("\n") } : {};
}

function toError({ failure, hook }: HookExecutionResult): HookError {
  const { name } = hook.entry.config;
  const code = failure?.kind === "aborted" ? "ABORTED" : failure?.kind === "untrusted" ? "HOOK_CHANGED" : "HOOK_FAILED";
  return { code, hook: name, message: `Hook "${name}" ${failure?.message}` };
}

export function decisionOf(output: DefaultHookOutput | undefined): Decision {
  if (output?.isBlockingDecision()) return "block";
  if (output?.shouldStopExecution()) return "stop";
  return output?.isAskDecision() ? "ask" : "allow";
}
