import type { PlannedHook } from "./plan/hookPlanner.ts";

/** A hook as its definition has it. */
export interface HookConfig {
  readonly type: string;
  readonly name?: string;
  readonly description?: string;
  readonly command?: string;
  readonly module?: string;
  readonly url?: string;
  /** As written: `"5s"`, `5000`; absent where the default holds. */
  readonly timeout?: string | number;
}

const configs = new WeakMap<PlannedHook, HookConfig>();
const planned = new WeakMap<HookConfig, PlannedHook>();

/** The definition of a planned hook, made when it is first asked for. */
export function hookConfigOf(hook: PlannedHook): HookConfig {
  const known = configs.get(hook);
  if (known) return known;
  const { type, name, unnamed, description, command, module, url, timeout } = hook.entry.config;
  const config = {
    type,
    ...(unnamed ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(command === undefined ? {} : { command }),
    ...(module === undefined ? {} : { module }),
    ...(url === undefined ? {} : { url }),
    ...(timeout === undefined ? {} : { timeout }),
  };
  configs.set(hook, config);
  planned.set(config, hook);
  return config;
}

/** The hook that a plan or a result gave this definition for; undefined for any other object. */
export function plannedHookOf(config: HookConfig): PlannedHook | undefined {
  return planned.get(config);
}
