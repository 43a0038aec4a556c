import { HooklineError } from "../errors.ts";
import type { EventSpec } from "../events/eventSpec.ts";
import { plainFields } from "../events/plainJson.ts";
import type { Config } from "../hooks/config.ts";
import { invalidInput } from "../hooks/failedEvent.ts";
import { type HookConfig, plannedHookOf } from "../hooks/hookConfig.ts";
import type { HookExecutionResult } from "../hooks/hookExecutionResult.ts";
import type { PlannedHook } from "../hooks/plan/hookPlanner.ts";
import { EventValue } from "../hooks/run/eventValue.ts";
import type { HookCall } from "../hooks/run/hookRunner.ts";
import { LinkExecution } from "../hooks/run/linkExecution.ts";
import type { Fields } from "../hooks/run/rewrites.ts";
import { type Pipeline, pipelineOf } from "./pipeline.ts";

/**
 * Only runs the hooks of a plan: no journal, and no second pass of a guard after another hook's rewrite. An
 * agent fires events with the `HookEventHandler`, which does both.
 */
export class HookRunner {
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  async executeHook(hookConfig: HookConfig, eventName: string, input: Fields): Promise<HookExecutionResult> {
    const { runner, catalog } = await pipelineOf(this.#config);
    return runner.executeHook(plannedHook(hookConfig), callOf(eventName, input, catalog));
  }

  async executeHooksParallel(
    hookConfigs: readonly HookConfig[],
    eventName: string,
    input: Fields,
  ): Promise<HookExecutionResult[]> {
    const { runner, catalog } = await pipelineOf(this.#config);
    return runner.executeHooksParallel(hookConfigs.map(plannedHook), callOf(eventName, input, catalog));
  }

  /** Each hook sees the input with the changes of earlier hooks; a block or stop ends the chain. */
  async executeHooksSequential(
    hookConfigs: readonly HookConfig[],
    eventName: string,
    input: Fields,
  ): Promise<HookExecutionResult[]> {
    const { runner, catalog } = await pipelineOf(this.#config);
    const execution = new LinkExecution(hookConfigs.map(plannedHook), callOf(eventName, input, catalog), runner, true);
    await execution.chain();
    return [...execution.outcome().results];
  }
}

/** Accepts only planned hooks: planning leaves out hooks that are off or not trusted. */
function plannedHook(config: HookConfig): PlannedHook {
  const hook = plannedHookOf(config);
  if (hook) return hook;
  const what = "The hook runner got a hook that is not part of an execution plan.";
  throw new HooklineError({ code: "HOOK_UNKNOWN", what, next: "Pass `hookConfigs` of a plan, or some of them." });
}

function callOf(eventName: string, input: Fields, catalog: Pipeline["catalog"]): HookCall {
  const spec: EventSpec | undefined = catalog[eventName];
  if (!spec) throw new HooklineError({ code: "EVENT_UNKNOWN", what: `There is no event "${eventName}".` });
  const plain = plainFields(input, spec.withheld);
  if (plain.kind === "refused") {
    throw new HooklineError({ code: "INPUT_INVALID", what: invalidInput(eventName, plain.why) });
  }
  return {
    eventName,
    spec,
    value: new EventValue({ ...plain.fields, hook_event_name: eventName }),
    repaired: plain.repaired,
    subjectPath: spec.subject?.field.split(".") ?? [],
    contexts: [],
    pass: "first",
    signal: undefined,
    until: undefined,
    observer: undefined,
  };
}
