import { debuglog } from "node:util";
import type { AggregatedHookResult } from "../merge/hookAggregator.ts";
import type { HookExecutionPlan } from "../plan/hookPlanner.ts";

/** Enabled by `NODE_DEBUG=hookline`; lines are built only then. */
export const debug = debuglog("hookline");

export function debugLine(
  { eventName, hooks }: HookExecutionPlan,
  subject: string | undefined,
  result: AggregatedHookResult,
): string {
  const count = hooks.length === 1 ? "1 hook" : `${hooks.length} hooks`;
  const changed = [...new Set(result.rewrites.map(({ path }) => path[0]))].join(", ");
  const health = result.success ? "success" : "failure";
  return `${eventName} fired${forSubject(subject)}: ${count}, ${Math.round(result.totalDuration)}ms, ${health}${changed ? ` (modified ${changed})` : ""}`;
}

export const forSubject = (subject: string | undefined) => (subject === undefined ? "" : ` for '${subject}'`);
