import type { z } from "zod";
import { codeOf, HooklineError } from "../errors.ts";
import type { EventSpec } from "../events/eventSpec.ts";
import { createOutput } from "./answer/hookOutput.ts";
import { type AggregatedHookResult, EMPTY_RESULT, type HookError } from "./merge/hookAggregator.ts";
import { debug } from "./record/debugLine.ts";
import { errorText } from "./triggers/errorText.ts";

/** The result of an event for which no hook ran; the errors say why. */
export function failedEvent(code: "EVENT_UNKNOWN", message: string): AggregatedHookResult {
  return { ...EMPTY_RESULT, success: false, errors: [{ code, message }] };
}

/** Our own bug must not crash the agent, and must not look like success either. */
export function internalFailure(error: unknown): HookError {
  debug("internal failure: %s", error);
  if (error instanceof HooklineError) return { code: codeOf(error), message: error.what };
  const message = `The hook engine failed: ${errorText(error)}`;
  return { code: "HOOK_FAILED", message };
}

/** Blocked if the event can block: a guard that could not be asked must not let anything pass. */
export function refusedEvent(spec: EventSpec | undefined, error: HookError): AggregatedHookResult {
  const result = { ...EMPTY_RESULT, success: false, errors: [error] };
  if (!spec || !("block" in spec.may)) return result;
  return { ...result, finalOutput: createOutput(spec.output, { decision: "block", reason: error.message }) };
}

export function describeIssues(eventName: string, error: z.ZodError): string {
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
  return invalidInput(eventName, issues.join("; "));
}

export function invalidInput(eventName: string, why: string): string {
  return `The input of ${eventName} is invalid: ${why}`;
}
