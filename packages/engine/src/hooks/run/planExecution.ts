import type { Answer } from "../answer/answer.ts";
import type { Ending } from "../answer/ending.ts";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { HookExecutionPlan, PlannedHook } from "../plan/hookPlanner.ts";
import type { HookCall, HookRunner } from "./hookRunner.ts";
import { type Execution, LinkExecution } from "./linkExecution.ts";

/** Runs the links so that no rewrite bypasses a guard: a link that has not seen the final value runs once more on it. */
export function executeLinks(
  plan: HookExecutionPlan,
  call: HookCall,
  runner: HookRunner,
  startedAt: number,
): Execution | Promise<Execution> {
  const { only, links, sequential } = plan;
  if (!only) return sequential ? executeChain(links, call, runner) : executeTogether(links, call, runner);
  // The usual plan is one hook: two more promises or another clock read would add a tenth to its cost.
  const run = runner.begin(only, call, startedAt);
  const conclude = (ending: Ending) => settle(links, [runner.conclude(run, ending)], call, runner);
  return run.ending instanceof Promise ? run.ending.then(conclude) : conclude(run.ending);
}

async function executeChain(links: readonly PlannedHook[], call: HookCall, runner: HookRunner): Promise<Execution> {
  const execution = new LinkExecution(links, call, runner, true);
  await execution.chain();
  await execution.secondPass();
  return execution.outcome();
}

async function executeTogether(links: readonly PlannedHook[], call: HookCall, runner: HookRunner): Promise<Execution> {
  return settle(links, await runner.executeHooksParallel(links, call), call, runner);
}

/** In the usual case no hook rewrites anything. Otherwise decides which rewrite wins, and runs hooks again on the final value. */
function settle(
  links: readonly PlannedHook[],
  results: readonly HookExecutionResult[],
  call: HookCall,
  runner: HookRunner,
): Execution | Promise<Execution> {
  for (const { answer } of results) {
    if (answer && wantsRewrite(answer)) return settleRewrites(links, results, call, runner);
  }
  return { results, value: call.value, rewrites: NONE, notes: NONE, notRun: NONE };
}

async function settleRewrites(
  links: readonly PlannedHook[],
  results: readonly HookExecutionResult[],
  call: HookCall,
  runner: HookRunner,
): Promise<Execution> {
  const execution = new LinkExecution(links, call, runner, false);
  await execution.applyRewrites(results);
  await execution.secondPass();
  return execution.outcome();
}

const NONE: readonly never[] = [];

function wantsRewrite({ rewrites }: Answer): boolean {
  for (const _ in rewrites) return true;
  return false;
}
