import type { z } from "zod";
import type { EventSpec } from "../events/eventSpec.ts";
import { debug } from "./debugLine.ts";
import { type AggregatedHookResult, EMPTY_RESULT, type HookError } from "./hookAggregator.ts";
import { createOutput } from "./hookOutput.ts";
import type { HookExecutionPlan } from "./hookPlanner.ts";

/** An event that came to nothing: no hook ran, and the errors say why. */
export function failedEvent(
  code: "EVENT_UNKNOWN" | "INPUT_INVALID" | "HOOK_FAILED",
  message: string,
): AggregatedHookResult {
  return { ...EMPTY_RESULT, success: false, errors: [{ code, message }] };
}

/** Our own bug must not take the agent down, and must not pass for health either. */
export function internalFailure(error: unknown): AggregatedHookResult {
  debug("internal failure: %s", error);
  return failedEvent(
    "HOOK_FAILED",
    `The hook engine failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** Hooks that could not be asked are no way past a guard: where the event can block, it comes back blocked. */
export function refusedEvent(spec: EventSpec | undefined, error: HookError): AggregatedHookResult {
  const result = { ...EMPTY_RESULT, success: false, errors: [error] };
  if (!spec || !("block" in spec.may)) return result;
  return { ...result, finalOutput: createOutput(spec.output, { decision: "block", reason: error.message }) };
}

/** A guard that blocks on its own failures has said what ours should mean, too. */
export function withGuards(
  result: AggregatedHookResult,
  plan: HookExecutionPlan,
  spec: EventSpec,
): AggregatedHookResult {
  const guard = plan.links.find(({ entry }) => entry.config.onError === "block");
  if (!guard || !("block" in spec.may)) return result;
  const reason = `Hook "${guard.entry.config.name}" could not be run: ${result.errors[0]?.message}`;
  return { ...result, finalOutput: createOutput(spec.output, { decision: "block", reason }) };
}

export function describeIssues(eventName: string, error: z.ZodError): string {
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
  return `The input of ${eventName} is invalid: ${issues.join("; ")}`;
}
