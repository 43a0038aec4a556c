import type { Answer } from "../answer/answer.ts";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { HookExecutionPlan, PlannedHook } from "../plan/hookPlanner.ts";
import type { HookCall, HookRunner } from "./hookRunner.ts";
import { type Execution, LinkExecution } from "./linkExecution.ts";

/** Runs the links so that no rewrite bypasses a guard: a link that has not seen the final value runs once more on it. */
export async function executeLinks(plan: HookExecutionPlan, call: HookCall, runner: HookRunner): Promise<Execution> {
  if (!plan.sequential)
    return settleLinks(plan.links, await runner.executeHooksParallel(plan.links, call), call, runner);
  const execution = new LinkExecution(plan.links, call, runner, true);
  await execution.chain();
  await execution.secondPass();
  return execution.outcome();
}

/** The links have run on the original value: if one rewrites it, decides which rewrite wins, and runs others again. */
export function settleLinks(
  links: readonly PlannedHook[],
  results: readonly HookExecutionResult[],
  call: HookCall,
  runner: HookRunner,
): Execution | Promise<Execution> {
  for (const { answer } of results) {
    if (answer && wantsRewrite(answer)) return applyRewrites(links, results, call, runner);
  }
  return { results, value: call.value, rewrites: NONE, notes: NONE, notRun: NONE };
}

async function applyRewrites(
  links: readonly PlannedHook[],
  results: readonly HookExecutionResult[],
  call: HookCall,
  runner: HookRunner,
): Promise<Execution> {
  const execution = new LinkExecution(links, call, runner, false);
  await execution.settle(results);
  await execution.secondPass();
  return execution.outcome();
}

const NONE: readonly never[] = [];

function wantsRewrite({ rewrites }: Answer): boolean {
  for (const _ in rewrites) return true;
  return false;
}
