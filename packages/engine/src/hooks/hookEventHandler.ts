import { randomUUID } from "node:crypto";
import { debuglog } from "node:util";
import type { z } from "zod";
import type { EVENTS, HookEventName } from "../events/catalog.ts";
import type { EventCatalog, EventSpec } from "../events/eventSpec.ts";
import type { Config } from "./config.ts";
import { EventValue, type View } from "./eventValue.ts";
import { type AggregatedHookResult, decisionOf, EMPTY_RESULT, type HookAggregator } from "./hookAggregator.ts";
import type { OutputOf } from "./hookOutput.ts";
import { type HookExecutionPlan, type HookPlanner, type PlannedHook, subjectOf } from "./hookPlanner.ts";
import type { HookCall, HookExecutionResult, HookRunner } from "./hookRunner.ts";
import { type Execution, executeLinks, isLink } from "./planExecution.ts";
import type { HookRecord, Pass, Recorder } from "./recorder.ts";
import type { Fields } from "./rewrites.ts";

export interface FireOptions {
  readonly signal?: AbortSignal;
  /** Other names of the subject, such as an ability's operation keys. */
  readonly aliases?: readonly string[];
  /** Also wait for hooks that do not block, and return their results. */
  readonly waitForAll?: boolean;
}

type Input<Name extends HookEventName> = z.input<(typeof EVENTS)[Name]["input"]>;

/** One typed method per row of the catalog. A function as input is called only if a hook will see the event. */
export type EventMethods = {
  readonly [Name in HookEventName as `fire${Name}Event`]: (
    input: Input<Name> | (() => Input<Name>),
    options?: FireOptions,
  ) => Promise<AggregatedHookResult<OutputOf<(typeof EVENTS)[Name]["output"]>>>;
};

interface Parts {
  readonly config: Config;
  readonly catalog: EventCatalog;
  readonly planner: HookPlanner;
  readonly runner: HookRunner;
  readonly aggregator: HookAggregator;
  readonly recorder: Recorder | undefined;
}

const EMPTY = Promise.resolve(EMPTY_RESULT);
const debug = debuglog("hookline");

/** Takes an event through plan, run and merge. It never throws, and costs next to nothing when no hook matches. */
export class HookEventHandler {
  readonly #parts: Parts;
  readonly #rows = new Map<string, { readonly spec: EventSpec; readonly subjectPath: readonly string[] }>();
  readonly #unmatched = new Map<string, number>();
  readonly #background = new Set<Promise<unknown>>();
  readonly #abandon = new AbortController();
  #runs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const [name, spec] of Object.entries(parts.catalog)) {
      this.#rows.set(name, { spec, subjectPath: spec.subject?.field.split(".") ?? [] });
      Object.defineProperty(this, `fire${name}Event`, {
        value: (input: Fields | (() => Fields), options?: FireOptions) => this.fire(name, input, options),
      });
    }
  }

  /** Fires any event of the catalog by name. */
  fire(eventName: string, input: Fields | (() => Fields), options?: FireOptions): Promise<AggregatedHookResult> {
    try {
      const row = this.#rows.get(eventName);
      if (!row) return Promise.resolve(failure("EVENT_UNKNOWN", `There is no event "${eventName}".`));
      if (!this.#parts.planner.hasHooks(eventName)) return this.#countUnmatched(eventName, undefined);
      const lazy = typeof input === "function";
      const fields = lazy && row.spec.subject === null && !this.#parts.planner.readsFields(eventName) ? undefined : lazy ? input() : input;
      const subject = fields === undefined ? undefined : subjectOf(row.subjectPath, fields);
      const context = { ...(subject === undefined ? {} : { subject }), ...(fields ? { fields } : {}), ...(options?.aliases ? { aliases: options.aliases } : {}) };
      const plan = this.#parts.planner.createExecutionPlan(eventName, context);
      if (plan === null) return this.#countUnmatched(eventName, subject);
      return this.#carryOut(plan, { ...row, subject, fields: fields ?? (lazy ? input() : input) }, options ?? {});
    } catch (error) {
      return Promise.resolve(internalFailure(error));
    }
  }

  getUnmatchedCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#unmatched);
  }

  /** Waits for hooks that do not block; a signal cuts off those still running. */
  async settle(signal?: AbortSignal): Promise<void> {
    const onAbort = () => this.#abandon.abort();
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    while (this.#background.size > 0) await Promise.all(this.#background);
    signal?.removeEventListener("abort", onAbort);
  }

  /** Cuts off everything that still runs in the background. */
  abandon(): void {
    this.#abandon.abort();
  }

  async #carryOut(plan: HookExecutionPlan, event: FiredEvent, options: FireOptions): Promise<AggregatedHookResult> {
    const startedAt = performance.now();
    try {
      if (plan.hooks.length === 0 && !this.#parts.recorder) return EMPTY_RESULT;
      const parsed = event.spec.input.safeParse(event.fields);
      if (!parsed.success) return failure("INPUT_INVALID", describeIssues(plan.eventName, parsed.error));
      const call = this.#call(plan, event, parsed.data, options.signal);
      const record = this.#recorderFor(call.eventId);
      this.#announce(plan, event, call);
      const execution = await executeLinks(plan, call, this.#parts.runner);
      for (const { entry } of execution.notRun) {
        record?.({ kind: "hookSkipped", eventId: call.eventId, hook: entry, reason: "an earlier hook of the chain ended it" });
      }
      const watched = await this.#observe(plan, { ...call, value: execution.value, pass: "observe" }, options.waitForAll === true);
      const result = this.#parts.aggregator.aggregateResults(execution, event.spec, plan.sequential);
      const durationMs = performance.now() - startedAt;
      const complete = { ...result, results: [...result.results, ...watched], totalDuration: durationMs };
      record?.(mergedRecord(call, complete, execution));
      if (debug.enabled) debug("%s", debugLine(plan, event.subject, complete));
      return complete;
    } catch (error) {
      return internalFailure(error);
    }
  }

  #call(plan: HookExecutionPlan, event: FiredEvent, data: Fields, signal: AbortSignal | undefined): HookCall {
    const { config, recorder } = this.#parts;
    const { eventName } = plan;
    const fields = {
      session_id: config.getSessionId(),
      transcript_path: config.getTranscriptPath(),
      cwd: config.getWorkingDir(),
      timestamp: new Date().toISOString(),
      ...data,
      ...event.spec.complete?.(data),
      hook_event_name: eventName,
      ...(event.spec.vocabulary === "ability" ? { event_type: eventName } : {}),
    };
    const eventId = recorder ? randomUUID() : "";
    const record = this.#recorderFor(eventId);
    return {
      eventId,
      eventName,
      spec: event.spec,
      value: new EventValue(fields),
      subjectPath: event.subjectPath,
      contexts: [],
      pass: "first",
      signal,
      onStart: (hook: PlannedHook, pass: Pass) => {
        this.#runs += 1;
        record?.({ kind: "hookStarted", eventId, runId: this.#runs, hook: hook.entry, pass });
        return this.#runs;
      },
      onEnd: (runId, result, value, view) => record?.(endedRecord(eventId, runId, result, value, view)),
    };
  }

  #announce(plan: HookExecutionPlan, { subject }: FiredEvent, { eventId, eventName, value }: HookCall): void {
    const record = this.#recorderFor(eventId);
    if (!record) return;
    record({ kind: "eventMatched", eventId, eventName, subject, sequential: plan.sequential, input: value.fields });
    for (const { entry, reason } of plan.skipped) record({ kind: "hookSkipped", eventId, hook: entry, reason });
  }

  /** Observing and non-blocking hooks run once, on the final value; only the observing ones are waited for. */
  async #observe(plan: HookExecutionPlan, call: HookCall, waitForAll: boolean): Promise<readonly HookExecutionResult[]> {
    const observers = plan.hooks.filter((hook) => !isLink(hook));
    if (observers.length === 0) return [];
    const awaited = observers.filter(({ entry }) => waitForAll || entry.config.blocking);
    const free = observers.filter((hook) => !awaited.includes(hook));
    if (free.length > 0) {
      const run = this.#parts.runner.executeHooksParallel(free, { ...call, signal: this.#abandon.signal });
      this.#background.add(run);
      void run.finally(() => this.#background.delete(run));
    }
    return awaited.length === 0 ? [] : this.#parts.runner.executeHooksParallel(awaited, call);
  }

  #countUnmatched(eventName: string, subject: string | undefined): Promise<AggregatedHookResult> {
    this.#unmatched.set(eventName, (this.#unmatched.get(eventName) ?? 0) + 1);
    if (debug.enabled) debug("%s fired%s: 0 hooks matched, skipped", eventName, forSubject(subject));
    return EMPTY;
  }

  #recorderFor(eventId: string): ((record: HookRecord) => void) | undefined {
    const { recorder } = this.#parts;
    if (!recorder || eventId === "") return undefined;
    return (record) => {
      try {
        recorder.record(record);
      } catch (error) {
        debug("the recorder failed: %s", error);
      }
    };
  }
}

interface FiredEvent {
  readonly spec: EventSpec;
  readonly subjectPath: readonly string[];
  readonly subject: string | undefined;
  readonly fields: Fields;
}

function endedRecord(eventId: string, runId: number, result: HookExecutionResult, value: EventValue, view: View): HookRecord {
  const { hook, pass, ending, failure: failed, answer, notes, duration } = result;
  return {
    kind: "hookEnded",
    eventId,
    runId,
    hook: hook.entry,
    pass,
    ending,
    failure: failed,
    answer,
    applied: isLink(hook),
    notes,
    durationMs: duration,
    readInput: () => value.copy(view),
  };
}

function mergedRecord(call: HookCall, result: AggregatedHookResult, execution: Execution): HookRecord {
  const { finalOutput, success, totalDuration, rewrites } = result;
  const decision = decisionOf(finalOutput);
  return {
    kind: "merged",
    eventId: call.eventId,
    eventName: call.eventName,
    decision,
    reason: decision === "allow" ? undefined : finalOutput?.getEffectiveReason(),
    rewrites,
    notes: execution.notes,
    success,
    durationMs: totalDuration,
  };
}

function debugLine({ eventName, hooks }: HookExecutionPlan, subject: string | undefined, result: AggregatedHookResult): string {
  const count = hooks.length === 1 ? "1 hook" : `${hooks.length} hooks`;
  const changed = [...new Set(result.rewrites.map(({ path }) => path[0]))].join(", ");
  const health = result.success ? "success" : "failure";
  return `${eventName} fired${forSubject(subject)}: ${count}, ${Math.round(result.totalDuration)}ms, ${health}${changed ? ` (modified ${changed})` : ""}`;
}

const forSubject = (subject: string | undefined) => (subject === undefined ? "" : ` for '${subject}'`);

function failure(code: "EVENT_UNKNOWN" | "INPUT_INVALID" | "HOOK_FAILED", message: string): AggregatedHookResult {
  return { ...EMPTY_RESULT, success: false, errors: [{ code, message }] };
}

/** Our own bug must not take the agent down, and must not pass for health either. */
function internalFailure(error: unknown): AggregatedHookResult {
  debug("internal failure: %s", error);
  return failure("HOOK_FAILED", `The hook engine failed: ${error instanceof Error ? error.message : String(error)}`);
}

function describeIssues(eventName: string, error: z.ZodError): string {
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
  return `The input of ${eventName} is invalid: ${issues.join("; ")}`;
}
