import { type ConfigSource, TRUST_LEVEL } from "../../config/values/configSource.ts";
import type { ErrorCode } from "../../errors.ts";
import type { EventSpec } from "../../events/eventSpec.ts";
import type { ToolNames } from "../../events/toolNames.ts";
import type { Answer, Decision, Failure } from "../answer/answer.ts";
import { createOutput, type DefaultHookOutput, type HookOutput } from "../answer/hookOutput.ts";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { PlannedHook } from "../plan/hookPlanner.ts";
import type { Rewrite } from "../record/recorder.ts";
import type { Execution } from "../run/linkExecution.ts";
import type { Fields } from "../run/rewrites.ts";
import { withoutOpposedStandIn } from "../run/standIn.ts";
import { MERGES } from "./index.ts";
import type { Merged } from "./merged.ts";

export interface HookError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hook?: string;
}

/** The result of an event. `success` is the hooks' health: a block is healthy, a crash is not. */
export interface AggregatedHookResult<Output extends DefaultHookOutput = DefaultHookOutput> {
  readonly success: boolean;
  readonly finalOutput?: Output;
  /** Each answer as given, unchecked; for an answer without text, its result. */
  readonly allOutputs: readonly Fields[];
  readonly errors: readonly HookError[];
  readonly totalDuration: number;
  /** What was changed, its old value, and by which hook. */
  readonly rewrites: readonly Rewrite[];
  readonly results: readonly HookExecutionResult[];
  /** The targets of the paths in a tool's arguments, by argument, as shown to guards; the tool must open only these files. */
  readonly realPaths?: Readonly<Record<string, string>>;
}

/** Facts that the results alone do not contain. */
export interface Aggregation {
  readonly spec: EventSpec;
  readonly sequential: boolean;
  /** Repaired fields of the input: the agent must continue with the repaired value, as hooks saw it. */
  readonly repaired: readonly string[];
  readonly watched: readonly HookExecutionResult[];
  readonly durationMs: number;
}

const UNCHANGED: Fields = {};
const NO_ERRORS: readonly HookError[] = [];

export const EMPTY_RESULT: AggregatedHookResult = Object.freeze({
  success: true,
  allOutputs: [],
  errors: [],
  totalDuration: 0,
  rewrites: [],
  results: [],
});

/** Merges the hooks' answers by the strategy of the event's row. Pure. */
export class HookAggregator {
  readonly #tools: ToolNames;

  constructor(tools: ToolNames) {
    this.#tools = tools;
  }

  aggregateResults(execution: Execution, how: Aggregation): AggregatedHookResult {
    const { results, rewrites, value } = execution;
    const { spec, sequential, watched, durationMs } = how;
    const repaired = how.repaired.length === 0 ? how.repaired : rewritable(how.repaired, spec);
    const answers: Answer[] = [];
    const sources: ConfigSource[] = [];
    const allOutputs: Fields[] = [];
    let errors = NO_ERRORS;
    let aborted = false;
    for (const { answer, output, failure, hook } of results) {
      if (answer) {
        answers.push(answer);
        sources.push(hook.entry.source);
        allOutputs.push(output ?? toOutput(answer, UNCHANGED));
      }
      if (failure) errors = [...errors, toError(failure, hook)];
      aborted ||= failure?.kind === "aborted";
    }
    const aggregated: Writable<AggregatedHookResult> = {
      success: errors.length === 0,
      allOutputs,
      errors,
      totalDuration: durationMs,
      rewrites,
      results: watched.length > 0 ? [...results, ...watched] : results,
    };
    if (answers.length === 0 && !aborted && repaired.length === 0) return aggregated;
    const all = MERGES[spec.merge](answers, {
      sequential,
      tools: this.#tools,
      trustOf: (index) => TRUST_LEVEL[sources[index] ?? "extensions"],
    });
    const merged = withoutOpposedStandIn(all, answers, spec);
    const changed = rewrites.length + repaired.length > 0 ? changedFields(rewrites, repaired, value.fields) : UNCHANGED;
    const final = aborted ? cancelled(merged, spec) : merged;
    aggregated.finalOutput = createOutput(spec.output, toOutput(final, changed));
    return aggregated;
  }
}

/** An action must not continue if its guards were aborted. */
function cancelled(merged: Merged, spec: EventSpec): Merged {
  const reason = "Cancelled while its hooks were running";
  if ("stop" in spec.may)
    return { ...merged, specific: UNCHANGED, stops: true, stopReasons: [...merged.stopReasons, reason] };
  if ("block" in spec.may) return { ...merged, blocks: true, reasons: [...merged.reasons, reason] };
  return merged;
}

function rewritable(fields: readonly string[], spec: EventSpec): readonly string[] {
  return fields.filter((field) => spec.rewrites.some((rewrite) => rewrite.field === field));
}

/** The fields that hooks rewrote or that were repaired, each with its complete final value. */
function changedFields(rewrites: readonly Rewrite[], repaired: readonly string[], fields: Fields): Fields {
  const names = [...repaired, ...rewrites.flatMap(({ path: [field] }) => field ?? [])];
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Leaves out empty fields. */
function toOutput(merged: Merged | Answer, changed: Fields): Writable<HookOutput> {
  const { blocks, stops, asks, stopReasons, reasons, messages, contexts, signals, logs } = merged;
  const output: Writable<HookOutput> = {};
  if (stops) output.continue = false;
  if (stopReasons.length > 0) output.stopReason = stopReasons.join("\n");
  if (blocks) output.decision = "block";
  else if (asks) output.decision = "ask";
  else if (!stops) output.decision = "allow";
  if (reasons.length > 0) output.reason = reasons.join("\n");
  if (messages.length > 0) output.systemMessage = messages.join("\n");
  if (merged.suppressOutput) output.suppressOutput = true;
  const context = contexts.length > 0 ? { additionalContext: contexts.join("\n") } : undefined;
  if (context || isFilled(changed) || isFilled(merged.specific)) {
    output.hookSpecificOutput = { ...merged.specific, ...changed, ...context };
  }
  if (signals.length > 0) output.hook_signals = signals;
  if (logs.length > 0) output.logs = logs;
  return output;
}

function isFilled(fields: Fields): boolean {
  for (const _ in fields) return true;
  return false;
}

function toError(failure: Failure, { entry }: PlannedHook): HookError {
  const { name } = entry.config;
  return { code: CODES[failure.kind] ?? "HOOK_FAILED", hook: name, message: `Hook "${name}" ${failure.message}` };
}

/** Failures with a more specific code. */
const CODES: { readonly [Kind in Failure["kind"]]?: ErrorCode } = {
  aborted: "ABORTED",
  disposed: "ABORTED",
  untrusted: "HOOK_CHANGED",
};

export function decisionOf(output: DefaultHookOutput | undefined): Decision {
  if (output?.isBlockingDecision()) return "block";
  if (output?.shouldStopExecution()) return "stop";
  return output?.isAskDecision() ? "ask" : "allow";
}
