import type { EventCatalog, EventSpec } from "../events/eventSpec.ts";
import { plainFields, presentable } from "../events/plainJson.ts";
import { type QuickCheck, quickCheck } from "../events/quickCheck.ts";
import { isRecord } from "./answer/answer.ts";
import { argumentReader } from "./eventArguments.ts";
import type { FireOptions } from "./eventMethods.ts";
import { describeIssues, failedEvent, internalFailure, invalidInput, refusedEvent } from "./failedEvent.ts";
import type { HookExecutionResult } from "./hookExecutionResult.ts";
import { type AggregatedHookResult, EMPTY_RESULT, type HookAggregator } from "./merge/hookAggregator.ts";
import { type HookExecutionPlan, type HookPlanner, type PlannedHook, subjectOf } from "./plan/hookPlanner.ts";
import { debug, debugLine, forSubject } from "./record/debugLine.ts";
import { EventJournal } from "./record/eventJournal.ts";
import type { Recorder } from "./record/recorder.ts";
import { BackgroundRuns } from "./run/backgroundRuns.ts";
import { EventValue } from "./run/eventValue.ts";
import type { HookCall, HookRunner } from "./run/hookRunner.ts";
import { IsoClock } from "./run/isoClock.ts";
import { type Execution, ends } from "./run/linkExecution.ts";
import { executeLinks, settleLinks } from "./run/planExecution.ts";
import { runAgainOn } from "./run/realPathPass.ts";
import type { RealPaths } from "./run/realPaths.ts";
import type { Fields } from "./run/rewrites.ts";
import { standInNotes } from "./run/standIn.ts";
import type { SessionFacts } from "./sessionFacts.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

interface Parts {
  readonly config: SessionFacts;
  readonly catalog: EventCatalog;
  readonly planner: HookPlanner;
  readonly runner: HookRunner;
  readonly aggregator: HookAggregator;
  readonly recorder: Recorder | undefined;
  readonly telemetry: Telemetry | undefined;
  readonly realPaths: (toolName: unknown, input: unknown) => RealPaths | undefined;
}

const NONE: readonly never[] = [];
const EMPTY = Promise.resolve(EMPTY_RESULT);

/**
 * Takes an event through plan, run and merge. Costs almost nothing if no hook matches, and never throws, except on
 * a call whose arguments do not fit the event.
 */
export class HookEventHandler {
  readonly #parts: Parts;
  readonly #rows = new Map<string, Row>();
  readonly #unmatched = new Map<string, number>();
  readonly #background: BackgroundRuns;
  readonly #clock = new IsoClock();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#background = new BackgroundRuns(() => parts.runner.maxParallel);
    for (const [name, spec] of Object.entries(parts.catalog)) {
      const subjectPath = spec.subject?.field.split(".") ?? [];
      this.#rows.set(name, { spec, subjectPath, accepts: undefined });
      const read = argumentReader(name, spec);
      const fireEvent = (...args: readonly unknown[]) => {
        const { input, options } = read(args);
        return this.fire(name, input, options);
      };
      Object.defineProperty(this, `fire${name}Event`, { value: fireEvent });
    }
  }

  /** Fires any event of the catalog by name. */
  fire(eventName: string, input: Fields | (() => Fields), options?: FireOptions): Promise<AggregatedHookResult> {
    const row = this.#rows.get(eventName);
    try {
      if (!row) return Promise.resolve(failedEvent("EVENT_UNKNOWN", `There is no event "${eventName}".`));
      const inputNeeded = this.#parts.planner.inputNeeded(eventName);
      if (inputNeeded === "nothing") return this.#countUnmatched(eventName, undefined);
      const mustRead = row.spec.subject !== null || inputNeeded === "fields";
      const fields = typeof input !== "function" ? input : mustRead ? input() : undefined;
      const subject = fields === undefined ? undefined : subjectOf(row.subjectPath, fields);
      const plan = this.#parts.planner.createExecutionPlan(eventName, { subject, fields, aliases: options?.aliases });
      if (plan === null) return this.#countUnmatched(eventName, subject);
      return this.#carryOut(plan, { row, subject, input: fields ?? input }, options);
    } catch (error) {
      return Promise.resolve(refusedEvent(row?.spec, internalFailure(error)));
    }
  }

  getUnmatchedCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#unmatched);
  }

  /** Waits for non-blocking hooks; a signal aborts those still running. */
  settle(signal?: AbortSignal): Promise<void> {
    return this.#background.settle(signal);
  }

  /** Aborts everything that still runs in the background. */
  abandon(): void {
    this.#background.abandon();
  }

  async #carryOut(
    plan: HookExecutionPlan,
    event: FiredEvent,
    options: FireOptions | undefined,
  ): Promise<AggregatedHookResult> {
    const startedAt = performance.now();
    let journal: EventJournal | undefined;
    try {
      const call = this.#open(plan, event, options);
      if (call instanceof Promise) return call;
      journal = call.observer;
      const { runner } = this.#parts;
      // The usual plan is one hook. Awaiting its ending here saves a promise of executeLinks, a twenty-fifth of such an event.
      const run = plan.only && runner.begin(plan.only, call, startedAt);
      const settling = run
        ? settleLinks(plan.links, [runner.conclude(run, await run.ending)], call, runner)
        : executeLinks(plan, call, runner);
      const settled = settling instanceof Promise ? await settling : settling;
      const paths = options?.realPaths ? this.#realPaths(plan, call, settled) : undefined;
      const execution = paths?.others.length ? await this.#askAboutPaths(plan, call, settled, paths.others) : settled;
      const watched =
        plan.observers.length === 0
          ? NONE
          : await this.#observe(plan.observers, call, execution.value, options?.waitForAll === true);
      const durationMs =
        plan.only && watched === NONE ? (execution.results[0]?.duration ?? 0) : performance.now() - startedAt;
      const merged = this.#merge(plan, { event, call, execution, watched, durationMs });
      const result = paths ? { ...merged, realPaths: paths.files } : merged;
      const kept = journal?.conclude(withNotes(execution, call, options?.notes?.(result.finalOutput)), result);
      if (kept) await kept;
      return result;
    } catch (error) {
      const failure = internalFailure(error);
      const result = refusedEvent(plan.links.length > 0 ? event.row.spec : undefined, failure);
      await journal?.conclude({ notRun: NONE, notes: [failure.message] }, result);
      return result;
    }
  }

  /** Undefined if no guard would read them: no path, no guard, or already an objection. */
  #realPaths({ links }: HookExecutionPlan, { spec, subjectPath }: HookCall, { value, results }: Execution) {
    if (spec.pathsIn === null || links.length === 0 || results.some(ends)) return undefined;
    return this.#parts.realPaths(subjectOf(subjectPath, value.fields), value.fields[spec.pathsIn]);
  }

  async #askAboutPaths(
    plan: HookExecutionPlan,
    call: HookCall,
    settled: Execution,
    others: readonly Fields[],
  ): Promise<Execution> {
    let execution = settled;
    for (const input of others) {
      if (execution.results.some(ends)) break;
      const value = new EventValue({ ...settled.value.fields, [call.spec.pathsIn ?? ""]: input });
      execution = await runAgainOn(value, execution, plan, call, this.#parts.runner);
    }
    return execution;
  }

  /** The event as its hooks will see it, or its result if no hook runs. */
  #open(
    plan: HookExecutionPlan,
    event: FiredEvent,
    options: FireOptions | undefined,
  ): RecordedCall | Promise<AggregatedHookResult> {
    if (plan.hooks.length === 0 && !this.#parts.recorder) return EMPTY;
    const { row, subject, input } = event;
    const { eventName } = plan;
    const given = typeof input === "function" ? input() : input;
    if (!isRecord(given)) return this.#reject(plan, event, {}, invalidInput(eventName, "input: not an object"));
    const plain = plainFields(given, row.spec.withheld);
    if (plain.kind === "refused") {
      const shown = presentable(given);
      return this.#reject(plan, event, isRecord(shown) ? shown : {}, invalidInput(eventName, plain.why));
    }
    let data = plain.fields;
    row.accepts ??= quickCheck(row.spec.input);
    if (!row.accepts(data)) {
      const parsed = row.spec.input.safeParse(data);
      if (!parsed.success) return this.#reject(plan, event, data, describeIssues(eventName, parsed.error));
      data = { ...data, ...parsed.data }; // the schema's defaults, and fields unknown to the schema
    }
    const call = this.#call(plan, row, { data, repaired: plain.repaired }, options);
    call.observer?.announce(plan, subject, call.value.fields);
    return call;
  }

  #merge(plan: HookExecutionPlan, { event, call, execution, watched, durationMs }: Closing): AggregatedHookResult {
    const { spec } = event.row;
    const how = { spec, sequential: plan.sequential, repaired: call.repaired, watched, durationMs };
    const result = this.#parts.aggregator.aggregateResults(execution, how);
    if (debug.enabled) debug("%s", debugLine(plan, event.subject, result));
    return result;
  }

  /** No hook ran: the journal records it, and the event is blocked if it can be. */
  async #reject(
    plan: HookExecutionPlan,
    { row, subject }: FiredEvent,
    fields: Fields,
    message: string,
  ): Promise<AggregatedHookResult> {
    const journal = this.#journal(plan);
    journal?.announce(plan, subject, fields);
    const refused = refusedEvent(row.spec, { code: "INPUT_INVALID", message });
    await journal?.conclude({ notRun: plan.hooks, reason: message, notes: [message] }, refused);
    return refused;
  }

  /** Undefined if there is no reader. An event that starts no hook is not traced. */
  #journal({ eventName, hooks }: HookExecutionPlan): EventJournal | undefined {
    const { recorder, telemetry } = this.#parts;
    const traced = hooks.length > 0 ? telemetry?.follow() : undefined;
    return recorder || traced ? new EventJournal(eventName, recorder, traced) : undefined;
  }

  #call(
    plan: HookExecutionPlan,
    row: Row,
    { data, repaired }: { readonly data: Fields; readonly repaired: readonly string[] },
    options: FireOptions | undefined,
  ): RecordedCall {
    const { config } = this.#parts;
    const { eventName } = plan;
    const { spec, subjectPath } = row;
    const fields: Record<string, unknown> = {
      session_id: config.getSessionId(),
      transcript_path: config.getTranscriptPath(),
      cwd: config.getWorkingDir(),
      timestamp: this.#clock.now(),
      ...data,
      hook_event_name: eventName, // a fact, whatever the caller passed
    };
    if (spec.complete) Object.assign(fields, spec.complete(data));
    if (spec.vocabulary === "ability") fields.event_type = eventName;
    return {
      eventName,
      spec,
      value: new EventValue(fields),
      repaired,
      subjectPath,
      contexts: NONE,
      pass: "first",
      signal: options?.signal,
      until: options?.until,
      observer: this.#journal(plan),
    };
  }

  /** Observing and non-blocking hooks run once, on the final value; only the observing ones are waited for. */
  async #observe(
    observers: readonly PlannedHook[],
    call: HookCall,
    value: EventValue,
    waitForAll: boolean,
  ): Promise<readonly HookExecutionResult[]> {
    const awaited = observers.filter(({ entry }) => waitForAll || entry.config.blocking);
    const free = observers.filter((hook) => !awaited.includes(hook));
    const final: HookCall = { ...call, value, pass: "observe" };
    for (const hook of free) {
      const alone = { ...final, until: undefined };
      this.#background.start(hook.entry, (signal) => this.#parts.runner.executeHook(hook, { ...alone, signal }));
    }
    return awaited.length === 0 ? [] : this.#parts.runner.executeHooksParallel(awaited, final);
  }

  #countUnmatched(eventName: string, subject: string | undefined): Promise<AggregatedHookResult> {
    this.#unmatched.set(eventName, (this.#unmatched.get(eventName) ?? 0) + 1);
    if (debug.enabled) debug("%s fired%s: 0 hooks matched, skipped", eventName, forSubject(subject));
    return EMPTY;
  }
}

interface Row {
  readonly spec: EventSpec;
  /** Built from the row's schema at the first event. */
  accepts: QuickCheck | undefined;
  readonly subjectPath: readonly string[];
}

interface FiredEvent {
  readonly row: Row;
  readonly subject: string | undefined;
  /** A function is called only once a hook will see its result. */
  readonly input: Fields | (() => Fields);
}

interface RecordedCall extends HookCall {
  readonly observer: EventJournal | undefined;
}

/** The results of an event before they are merged. */
interface Closing {
  readonly event: FiredEvent;
  readonly call: HookCall;
  readonly execution: Execution;
  readonly watched: readonly HookExecutionResult[];
  readonly durationMs: number;
}

function withNotes(execution: Execution, { repaired, spec }: HookCall, more: readonly string[] = NONE): Execution {
  const undelivered = standInNotes(execution.results, spec);
  if (repaired.length + undelivered.length + more.length === 0) return execution;
  const repairs = repaired.map((field) => `${field}: invalid Unicode was replaced, for hooks and for the agent`);
  return { ...execution, notes: [...execution.notes, ...undelivered, ...repairs, ...more] };
}
