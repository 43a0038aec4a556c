import type { HookExecutionPlan } from "../plan/hookPlanner.ts";
import type { EventValue } from "./eventValue.ts";
import type { HookCall, HookRunner } from "./hookRunner.ts";
import { combine, type Execution, ends } from "./linkExecution.ts";
import { changesTo } from "./rewrites.ts";

/** Runs every link once more, on the same call with another spelling of its path. Objections of all runs count. */
export async function runAgainOn(
  value: EventValue,
  execution: Execution,
  plan: HookExecutionPlan,
  call: HookCall,
  runner: HookRunner,
): Promise<Execution> {
  const again: HookCall = { ...call, value, contexts: [], pass: "second" };
  const results = plan.sequential
    ? await runner.executeHooksSequential(plan.links, again, (result, current) => (ends(result) ? null : current))
    : await runner.executeHooksParallel(plan.links, again);
  const later = new Map(results.map((result) => [result.hook, result]));
  const ignored = results.flatMap(({ hook, answer }) => {
    const changes = answer ? changesTo(value.fields, answer.rewrites, call.spec) : [];
    const fields = changes.map(({ path }) => path.join(".")).join(", ");
    return fields ? [`a rewrite of ${fields} by "${hook.entry.config.name}" for the real path was ignored`] : [];
  });
  return {
    ...execution,
    results: execution.results.map((earlier) => {
      const result = later.get(earlier.hook);
      return result ? combine(earlier, result) : earlier;
    }),
    notes: [...execution.notes, ...ignored],
  };
}
