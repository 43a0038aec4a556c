import { randomUUID } from "node:crypto";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import { type AggregatedHookResult, decisionOf } from "../merge/hookAggregator.ts";
import { type HookExecutionPlan, isLink, type PlannedHook } from "../plan/hookPlanner.ts";
import type { EventValue, View } from "../run/eventValue.ts";
import type { Execution } from "../run/linkExecution.ts";
import type { Fields } from "../run/rewrites.ts";
import type { RunObserver } from "../run/runObserver.ts";
import type { EventTelemetry } from "../telemetry/eventTelemetry.ts";
import { debug } from "./debugLine.ts";
import type { HookRecord, Pass, Recorder } from "./recorder.ts";

const CHAIN_ENDED = "an earlier hook of the chain ended it";

/** Hooks that did not run, and why. */
interface Conclusion extends Pick<Execution, "notRun" | "notes"> {
  readonly reason?: string;
}

/** The steps of one event, as records. Created only if there is a recorder. */
export class EventJournal implements RunObserver {
  readonly #recorder: Recorder | undefined;
  readonly #telemetry: EventTelemetry | undefined;
  readonly #eventName: string;
  readonly #eventId = randomUUID();
  #runs = 0;

  constructor(eventName: string, recorder: Recorder | undefined, telemetry: EventTelemetry | undefined) {
    this.#eventName = eventName;
    this.#recorder = recorder;
    this.#telemetry = telemetry;
  }

  announce({ sequential, skipped }: HookExecutionPlan, subject: string | undefined, input: Fields): void {
    const eventName = this.#eventName;
    this.#record({ kind: "eventMatched", eventId: this.#eventId, eventName, subject, sequential, input });
    for (const { entry, reason } of skipped) {
      this.#record({ kind: "hookSkipped", eventId: this.#eventId, hook: entry, reason });
    }
  }

  started({ entry }: PlannedHook, pass: Pass): number {
    this.#runs += 1;
    this.#record({ kind: "hookStarted", eventId: this.#eventId, runId: this.#runs, hook: entry, pass });
    return this.#runs;
  }

  around<Result>(runId: number, run: () => Result): Result {
    return this.#telemetry ? this.#telemetry.around(runId, run) : run();
  }

  ended(runId: number, result: HookExecutionResult, value: EventValue, view: View): void {
    const { hook, pass, ending, failure, answer, notes, duration } = result;
    this.#record({
      kind: "hookEnded",
      eventId: this.#eventId,
      runId,
      hook: hook.entry,
      pass,
      ending,
      failure,
      answer,
      applied: isLink(hook),
      notes,
      durationMs: duration,
      readInput: () => value.seen(view),
      readInputSize: () => value.knownSize(view),
    });
  }

  /** After an objection, await the result: nothing continues before the objection is recorded. */
  conclude(
    { notRun, notes, reason = CHAIN_ENDED }: Conclusion,
    result: AggregatedHookResult,
  ): Promise<void> | undefined {
    const { finalOutput, success, totalDuration, rewrites } = result;
    for (const { entry } of notRun) {
      this.#record({ kind: "hookSkipped", eventId: this.#eventId, hook: entry, reason });
    }
    const decision = decisionOf(finalOutput);
    this.#record({
      kind: "merged",
      eventId: this.#eventId,
      eventName: this.#eventName,
      decision,
      reason: decision === "allow" ? undefined : finalOutput?.getEffectiveReason(),
      rewrites,
      notes,
      success,
      durationMs: totalDuration,
    });
    return decision === "block" || decision === "stop" ? commitTo(this.#recorder) : undefined;
  }

  #record(record: HookRecord): void {
    if (this.#recorder) tell(this.#recorder, record);
    if (this.#telemetry) tell(this.#telemetry, record);
  }
}

/** A recorder that takes longer to commit no longer delays the agent. */
const LONGEST_COMMIT_MS = 10_000;

/** Undefined if there is nothing to wait for. Never rejects: a failing recorder changes no decision. */
export function commitTo(recorder: Recorder | undefined): Promise<void> | undefined {
  return recorder?.commit ? commit(recorder) : undefined;
}

async function commit(recorder: Recorder): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LONGEST_COMMIT_MS);
    });
    await Promise.race([recorder.commit?.(), tooLong]);
  } catch (error) {
    recorderFailed(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Passes on a record. Neither an exception nor a rejected promise of the reader reaches the event or the program. */
export function tell(reader: Recorder, record: HookRecord): void {
  try {
    const returned: unknown = reader.record(record);
    if (typeof returned === "object" && returned !== null) Promise.resolve(returned).catch(recorderFailed);
  } catch (error) {
    recorderFailed(error);
  }
}

const recorderFailed = (error: unknown) => debug("a recorder failed: %s", error);
