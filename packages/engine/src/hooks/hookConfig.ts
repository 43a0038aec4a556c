import type { PlannedHook } from "./plan/hookPlanner.ts";

/** A hook as its settings define it. Which fields a hook needs depends on its type. */
export interface HookConfig {
  readonly type: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly command?: string | undefined;
  readonly module?: string | undefined;
  readonly url?: string | undefined;
  /** As written: `"5s"`, `5000`; absent if the default applies. */
  readonly timeout?: string | number | undefined;
  /** What a failure of this hook means; default `allow`. */
  readonly onError?: "allow" | "block" | undefined;
  /** `observe`: runs, is recorded, changes nothing. Default `enforce`. */
  readonly mode?: "enforce" | "observe" | undefined;
  readonly blocking?: boolean | undefined;
  /** AfterModel: the response is held until this hook has answered. */
  readonly hold?: boolean | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of withheld variables that it may have. */
  readonly passEnv?: readonly string[] | undefined;
  /** For a url. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly retries?: number | undefined;
  readonly replay?: "run" | "skip" | undefined;
}

const configs = new WeakMap<PlannedHook, HookConfig>();
const planned = new WeakMap<HookConfig, PlannedHook>();

/** The definition of a planned hook, created on first use. */
export function hookConfigOf(hook: PlannedHook): HookConfig {
  const known = configs.get(hook);
  if (known) return known;
  const { type, name, unnamed, description, command, module, url, timeout } = hook.entry.config;
  const { onError, mode, hold, blocking } = hook.entry.config;
  const config = {
    type,
    ...(unnamed ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(command === undefined ? {} : { command }),
    ...(module === undefined ? {} : { module }),
    ...(url === undefined ? {} : { url }),
    ...(timeout === undefined ? {} : { timeout }),
    // What decides about its answers, if it is not as usual.
    ...(onError === "allow" ? {} : { onError }),
    ...(mode === "enforce" ? {} : { mode }),
    ...(hold ? { hold } : {}),
    ...(blocking ? {} : { blocking }),
  };
  configs.set(hook, config);
  planned.set(config, hook);
  return config;
}

/** The planned hook behind this definition; undefined for any other object. */
export function plannedHookOf(config: HookConfig): PlannedHook | undefined {
  return planned.get(config);
}
