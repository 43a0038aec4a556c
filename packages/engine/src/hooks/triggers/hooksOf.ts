import { DEFAULT_OPTIONS } from "../../config/values/options.ts";
import { KNOWN_TOOLS } from "../../events/toolNames.ts";
import type { Config } from "../config.ts";
import type { HookSystem } from "../hookSystem.ts";
import { errorText } from "./errorText.ts";

/** What triggers need of a hook system. */
export type Hooks = Pick<
  HookSystem,
  | "initialize"
  | "getStartedHandler"
  | "getEventHandler"
  | "getPlanner"
  | "getEngineOptions"
  | "getGuardedNames"
  | "getProtectedPlaces"
  | "getRealPaths"
  | "getToolNames"
  | "recordApproval"
  | "whyProtected"
>;

/** Undefined if hooks are off. */
export function hooksOf(config: Config): Hooks | undefined {
  try {
    return config.getHookSystem();
  } catch (error) {
    return unreachableHooks(error instanceof Error ? error : new Error(errorText(error)));
  }
}

/** For a config that throws when asked for its hooks: it may well have some, so they count as hooks that fail to start. */
function unreachableHooks(error: Error): Hooks {
  const fail = () => {
    throw error;
  };
  return {
    initialize: () => Promise.reject(error),
    getStartedHandler: () => undefined,
    getEventHandler: fail,
    getPlanner: fail,
    getEngineOptions: () => DEFAULT_OPTIONS,
    getGuardedNames: () => [],
    getProtectedPlaces: () => undefined,
    getRealPaths: () => undefined,
    getToolNames: () => KNOWN_TOOLS,
    recordApproval: async () => {},
    whyProtected: () => undefined,
  };
}
