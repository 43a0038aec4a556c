import { HooklineError } from "../errors.ts";
import { EVENTS } from "../events/catalog.ts";
import type { EventCatalog, EventSpec } from "../events/eventSpec.ts";
import { spellsObjection } from "../events/objectionPattern.ts";
import { KNOWN_TOOLS, type ToolNames } from "../events/toolNames.ts";
import { answerToFailure } from "../hooks/answer/answerToFailure.ts";
import { type Ending, NOTHING_CAPTURED } from "../hooks/answer/ending.ts";
import type { HookOutput } from "../hooks/answer/hookOutput.ts";
import { type HookConfig, plannedHookOf } from "../hooks/hookConfig.ts";
import { HookExecutionResult } from "../hooks/hookExecutionResult.ts";
import { type AggregatedHookResult, HookAggregator as Aggregator } from "../hooks/merge/hookAggregator.ts";
import type { PlannedHook } from "../hooks/plan/hookPlanner.ts";
import { toEntry } from "../hooks/plan/hookRegistry.ts";
import type { Rewrite } from "../hooks/record/recorder.ts";
import { EventValue } from "../hooks/run/eventValue.ts";
import { hearEnding } from "../hooks/run/hearEnding.ts";
import { applyChanges, changesTo, type Fields, valueAt } from "../hooks/run/rewrites.ts";
import { copiedFacts, withObjection } from "./copiedResult.ts";

/** The result of a run in plain fields, easy to write in a test; results of the `HookRunner`, and copies of them, have them too. */
export interface HookRunSummary {
  readonly hookConfig: HookConfig;
  readonly eventName: string;
  readonly success: boolean;
  readonly output?: HookOutput | Fields | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly duration: number;
  readonly error?: Error | undefined;
}

/** Merges results by the strategy in the event's catalog row; if two hooks rewrite a field, the later one wins. */
export class HookAggregator {
  readonly #aggregator: Aggregator;
  readonly #catalog: EventCatalog;

  constructor(catalog: EventCatalog = EVENTS, tools: ToolNames = KNOWN_TOOLS) {
    this.#aggregator = new Aggregator(tools);
    this.#catalog = catalog;
  }

  aggregateResults(given: readonly HookRunSummary[], eventName: string): AggregatedHookResult {
    const spec = this.#catalog[eventName];
    if (!spec) throw new HooklineError({ code: "EVENT_UNKNOWN", what: `There is no event "${eventName}".` });
    const results = given.map((result) => (result instanceof HookExecutionResult ? result : toResult(result, spec)));
    const { fields, rewrites } = rewritten(results, spec);
    const execution = { results, value: new EventValue(fields), rewrites, notes: [], notRun: [] };
    const durationMs = results.reduce((sum, { duration }) => sum + duration, 0);
    return this.#aggregator.aggregateResults(execution, {
      spec,
      sequential: true,
      repaired: [],
      watched: [],
      durationMs,
    });
  }
}

function rewritten(results: readonly HookExecutionResult[], spec: EventSpec) {
  let fields: Fields = {};
  const rewrites: Rewrite[] = [];
  for (const { hook, answer } of results) {
    const changes = answer ? changesTo(fields, answer.rewrites, spec) : [];
    for (const { path, value } of changes) {
      rewrites.push({ path, before: valueAt(fields, path), after: value, hook: hook.entry.config.name });
    }
    fields = applyChanges(fields, changes);
  }
  return { fields, rewrites };
}

function toResult(summary: HookRunSummary, spec: EventSpec): HookExecutionResult {
  const { eventName, success, duration } = summary;
  const hook = plannedHookOf(summary.hookConfig) ?? unplanned(summary.hookConfig, eventName, spec);
  const ending = endingOf(summary);
  const heard = hearEnding(ending, spec, hook.entry.config);
  const copied = copiedFacts(summary);
  const failure = copied.failure ?? heard.failure ?? heard.badAnswer;
  const read = failure ? answerToFailure(hook, failure, heard.answer, spec) : heard.answer;
  const answer = withObjection(read, copied.answer);
  const isHealthy = failure === undefined && (success || answer?.blocks === true);
  const facts = { hook, eventName, pass: "first", ending, failure, answer, notes: heard.notes, duration } as const;
  return new HookExecutionResult({ ...facts, success: isHealthy, output: heard.output ?? fieldsOf(summary.output) });
}

/** The ending that the summary describes: a failure with its message, an exit code, or the output alone. */
function endingOf({ success, output, stdout, stderr, exitCode, error }: HookRunSummary): Ending {
  // An objection counts even if the run failed, whether it was printed or is only in the output.
  if (error && output === undefined && stdout === undefined) return { kind: "threw", error };
  const printsObjection = stdout !== undefined && spellsObjection(stdout);
  if (exitCode === undefined && success && !printsObjection) return { kind: "returned", value: output };
  const text = output === undefined || printsObjection ? stdout : JSON.stringify(output);
  const code = exitCode ?? (success ? 0 : 1);
  const streams = { stdout: text ?? "", stderr: stderr ?? "" };
  return { ...NOTHING_CAPTURED, kind: "exited", code, leftBehind: false, ...streams };
}

const fieldsOf = (output: HookRunSummary["output"]): Fields | undefined => output && { ...output };

/** A hook that is in no registry, for hand-written results. */
function unplanned(config: HookConfig, eventName: string, spec: EventSpec): PlannedHook {
  const { type, description, command, module, url, timeout, onError, mode, blocking, hold } = config;
  const entry = toEntry({
    kind: "hook",
    type,
    name: config.name ?? command ?? module ?? url ?? type,
    ...(description === undefined ? {} : { description }),
    ...(command === undefined ? {} : { command }),
    ...(module === undefined ? {} : { module }),
    ...(url === undefined ? {} : { url }),
    ...(timeout === undefined ? {} : { timeout }),
    eventName,
    source: "project",
    family: "hookline",
    place: { file: "(program)" },
    match: {},
    sequential: false,
    timeoutMs: 0,
    onError: onError ?? "allow",
    mode: mode ?? "enforce",
    blocking: blocking ?? spec.facing === "ai",
    hold: hold ?? false,
    env: {},
    passEnv: [],
    replay: "run",
  });
  return { entry, subject: undefined, duplicates: [] };
}
