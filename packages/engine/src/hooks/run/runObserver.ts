import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { PlannedHook } from "../plan/hookPlanner.ts";
import type { Pass } from "../record/recorder.ts";
import type { EventValue, View } from "./eventValue.ts";

/** Hears of every run of an event's hooks. */
export interface RunObserver {
  /** Returns the number of the run within its event. */
  started(hook: PlannedHook, pass: Pass): number;
  /** Calls the hook in the context of its trace. */
  around<Result>(runId: number, run: () => Result): Result;
  ended(runId: number, result: HookExecutionResult, value: EventValue, view: View): void;
}
