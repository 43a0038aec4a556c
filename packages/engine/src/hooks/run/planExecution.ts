import type { Answer } from "../answer/answer.ts";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { HookExecutionPlan, PlannedHook } from "../plan/hookPlanner.ts";
import type { HookCall, HookRunner } from "./hookRunner.ts";
import { type Execution, LinkExecution } from "./linkExecution.ts";

/** Runs the links so that no rewrite bypasses a guard: a link that has not seen the final value runs once more on it. */
export async function executeLinks(plan: HookExecutionPlan, call: HookCall, runner: HookRunner): Promise<Execution> {
  if (plan.sequential) {
    const execution = new LinkExecution(plan.links, call, runner, true);
    await execution.chain();
    await execution.secondPass();
    return execution.outcome();
  }
  const results = await runner.executeHooksParallel(plan.links, call);
  return withoutRewrites(results, call) ?? settleRewrites(plan.links, results, call, runner);
}

/** The usual case: no hook rewrites anything. Undefined if one does. */
export function withoutRewrites(results: readonly HookExecutionResult[], call: HookCall): Execution | undefined {
  for (const { answer } of results) if (answer && wantsRewrite(answer)) return undefined;
  return { results, value: call.value, rewrites: NONE, notes: NONE, notRun: NONE };
}

/** The other case: decides which rewrite wins, and runs hooks again on the final value. */
export async function settleRewrites(
  links: readonly PlannedHook[],
  results: readonly HookExecutionResult[],
  call: HookCall,
  runner: HookRunner,
): Promise<Execution> {
  const execution = new LinkExecution(links, call, runner, false);
  await execution.settleRewrites(results);
  await execution.secondPass();
  return execution.outcome();
}

const NONE: readonly never[] = [];

function wantsRewrite({ rewrites }: Answer): boolean {
  for (const _ in rewrites) return true;
  return false;
}
