import type { HookSignal } from "../events/abilitySchemas.ts";
import type { HookExecutionResult } from "./hookExecutionResult.ts";

/** The result of one hook of an ability event. */
export interface HookRunResult {
  readonly hook_id: string;
  readonly status: "success" | "failure";
  readonly duration_ms: number;
  readonly logs: readonly string[];
  readonly hook_signals: readonly HookSignal[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** All signals of the results, in order. */
export function collectHookSignals(results: readonly HookRunResult[]): HookSignal[] {
  return results.flatMap(({ hook_signals }) => hook_signals);
}

export function toRunResult({ hook, success, duration, answer, failure }: HookExecutionResult): HookRunResult {
  return {
    hook_id: hook.entry.config.name,
    status: success ? "success" : "failure",
    duration_ms: Math.round(duration),
    logs: answer?.logs ?? [],
    hook_signals: answer?.signals ?? [],
    ...(failure ? { error: { code: failure.kind, message: failure.message } } : {}),
  };
}
