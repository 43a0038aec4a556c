import { HooklineError } from "../errors.ts";
import type { Config } from "./config.ts";
import type { HookSystem } from "./hookSystem.ts";

/** The config's hook system, undefined if hooks are off. A config written without types may lack the method. */
export function hookSystemOf(config: Partial<Pick<Config, "getHookSystem">>): HookSystem | undefined {
  if (typeof config.getHookSystem === "function") return config.getHookSystem();
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: "The config has no getHookSystem(): hooks are loaded, and trusted, by a hook system.",
    next: "Add a getHookSystem() that always returns the same `new HookSystem(config)`, or undefined if hooks are off.",
  });
}
