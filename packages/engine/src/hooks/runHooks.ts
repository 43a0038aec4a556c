import type { HookSignal } from "../events/abilitySchemas.ts";
import type { HookExecutionResult } from "./hookRunner.ts";
import type { HookSystem } from "./hookSystem.ts";
import type { Fields } from "./rewrites.ts";

/** What one hook of an ability event came to. */
export interface HookRunResult {
  readonly hook_id: string;
  readonly status: "success" | "failure";
  readonly duration_ms: number;
  readonly logs: readonly string[];
  readonly hook_signals: readonly HookSignal[];
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Runs the hooks of an event and returns each one's result, in plan order. With `blockingOnly`, the others are started
 * and not waited for; without it, all are.
 */
export async function runHooks(
  hookSystem: HookSystem,
  eventName: string,
  context: Fields,
  { blockingOnly = false }: { readonly blockingOnly?: boolean } = {},
): Promise<HookRunResult[]> {
  await hookSystem.initialize();
  const { results } = await hookSystem.getEventHandler().fire(eventName, context, { waitForAll: !blockingOnly });
  return results.map(toRunResult);
}

/** All signals of the results, in order. */
export function collectHookSignals(results: readonly HookRunResult[]): HookSignal[] {
  return results.flatMap(({ hook_signals }) => hook_signals);
}

function toRunResult({ hook, success, duration, answer, failure }: HookExecutionResult): HookRunResult {
  return {
    hook_id: hook.entry.config.name,
    status: success ? "success" : "failure",
    duration_ms: Math.round(duration),
    logs: answer?.logs ?? [],
    hook_signals: answer?.signals ?? [],
    ...(failure ? { error: { code: failure.kind, message: failure.message } } : {}),
  };
}
