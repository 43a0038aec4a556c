import type { HookDeclaration } from "../config/hooks/hookDeclaration.ts";
import type { DefaultHookOutput } from "../hooks/answer/hookOutput.ts";
import type { HookConfig } from "../hooks/hookConfig.ts";
import type { AggregatedHookResult as Result } from "../hooks/merge/hookAggregator.ts";
import type { HookExecutionPlan as Plan } from "../hooks/plan/hookPlanner.ts";
import type { HookRegistryEntry as Entry } from "../hooks/plan/hookRegistry.ts";

// What the parts return, with only those fields required that a program writes in a literal of its own, such as in a test.

export interface HookRegistryEntry extends Omit<Entry, "config" | "matcher" | "sequential"> {
  readonly config: HookConfig & Omit<Partial<HookDeclaration>, keyof HookConfig>;
  readonly matcher?: string | undefined;
  readonly sequential?: boolean | undefined;
}

type Planned = "eventName" | "hookConfigs" | "sequential";

export interface HookExecutionPlan extends Pick<Plan, Planned>, Partial<Omit<Plan, Planned>> {}

export interface AggregatedHookResult<Output extends DefaultHookOutput = DefaultHookOutput>
  extends Omit<Result<Output>, "finalOutput" | "rewrites" | "results">,
    Partial<Pick<Result<Output>, "rewrites" | "results">> {
  readonly finalOutput?: Output | undefined;
}
