import type { PlannedHook } from "./plan/hookPlanner.ts";

/** A hook as defined in its settings. */
export interface HookConfig {
  readonly type: string;
  readonly name?: string;
  readonly description?: string;
  readonly command?: string;
  readonly module?: string;
  readonly url?: string;
  /** As written: `"5s"`, `5000`; absent if the default applies. */
  readonly timeout?: string | number;
}

const configs = new WeakMap<PlannedHook, HookConfig>();
const planned = new WeakMap<HookConfig, PlannedHook>();

/** The definition of a planned hook, created on first use. */
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

/** The planned hook behind this definition; undefined for any other object. */
export function plannedHookOf(config: HookConfig): PlannedHook | undefined {
  return planned.get(config);
}
