import { randomUUID } from "node:crypto";
import { debug } from "./debugLine.ts";
import type { EventValue, View } from "./eventValue.ts";
import { type AggregatedHookResult, decisionOf } from "./hookAggregator.ts";
import { type HookExecutionPlan, isLink, type PlannedHook } from "./hookPlanner.ts";
import type { HookExecutionResult } from "./hookRunner.ts";
import type { Execution } from "./linkExecution.ts";
import type { HookRecord, Pass, Recorder } from "./recorder.ts";
import type { Fields } from "./rewrites.ts";

const CHAIN_ENDED = "an earlier hook of the chain ended it";

/** Who did not run, and why. */
interface Conclusion extends Pick<Execution, "notRun" | "notes"> {
  readonly reason?: string;
}

/** The steps of one event, as records. Made only where there is a recorder. */
export class EventJournal {
  readonly #recorder: Recorder;
  readonly #eventName: string;
  readonly #eventId = randomUUID();
  #runs = 0;

  constructor(recorder: Recorder, eventName: string) {
    this.#recorder = recorder;
    this.#eventName = eventName;
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
      readInput: () => value.copy(view),
    });
  }

  conclude({ notRun, notes, reason = CHAIN_ENDED }: Conclusion, result: AggregatedHookResult): void {
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
  }

  #record(record: HookRecord): void {
    try {
      this.#recorder.record(record);
    } catch (error) {
      debug("the recorder failed: %s", error);
    }
  }
}
