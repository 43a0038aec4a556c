import { HooklineError } from "../errors.ts";
import type { Config } from "../hooks/config.ts";
import type { HookSystem } from "../hooks/hookSystem.ts";
import { hookSystemOf } from "../hooks/hookSystemOf.ts";

export type Pipeline = ReturnType<HookSystem["getPipeline"]>;

/** Starts the config's hook system, which loads hooks and checks trust, and returns its parts. */
export async function pipelineOf(config: Config): Promise<Pipeline> {
  const system = systemOf(config);
  await system.initialize();
  return system.getPipeline();
}

export function systemOf(config: Config): HookSystem {
  const system = hookSystemOf(config);
  if (system) return system;
  throw new HooklineError({
    code: "NOT_INITIALIZED",
    what: "The config has no hook system: hooks are off.",
    next: "Check `config.getHookSystem()` first, and continue without hooks if it is undefined.",
  });
}
