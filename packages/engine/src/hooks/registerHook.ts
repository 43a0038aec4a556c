import type { HookDeclaration } from "../config/hooks/hookDeclaration.ts";
import { readDuration } from "../config/values/duration.ts";
import { didYouMean } from "../config/values/nearest.ts";
import { HooklineError } from "../errors.ts";
import type { EventCatalog } from "../events/eventSpec.ts";
import type { HookedEvent, HookFunction, Returnable, Spelt } from "../events/inputs.ts";
import type { HookHandler } from "./handlers/handler.ts";

/** A hook of the embedding program: a function, with the settings of any hook. */
export interface RuntimeHookConfig<Name extends HookedEvent = "any", Returned = Spelt<Returnable<Name>>> {
  readonly type: "runtime";
  readonly name: string;
  readonly action: HookFunction<Name, { readonly signal: AbortSignal }, Returned>;
  readonly description?: string;
  /** As in a settings file: `"250ms"`, `"5s"`; default 60 s. */
  readonly timeout?: string | number;
  readonly onError?: "allow" | "block";
  readonly mode?: "enforce" | "observe";
  readonly blocking?: boolean;
  readonly hold?: boolean;
}

export interface RegisterOptions {
  readonly matcher?: string;
  readonly sequential?: boolean;
}

const DEFAULT_TIMEOUT_MS = 60_000;

export function declareRuntimeHook(
  hook: Omit<RuntimeHookConfig, "action"> & { readonly action: unknown },
  eventName: string,
  { matcher, sequential = false }: RegisterOptions,
  { catalog, handlers }: { catalog: EventCatalog; handlers: readonly HookHandler[] },
): HookDeclaration {
  const { name, action, description, onError = "allow", mode = "enforce", hold = false } = hook;
  const spec = catalog[eventName];
  if (!spec) {
    const what = `There is no event "${eventName}".${didYouMean(eventName, Object.keys(catalog))}`;
    throw new HooklineError({ code: "EVENT_UNKNOWN", what });
  }
  const handler = handlers.find(({ kind }) => kind.type === hook.type);
  if (!handler?.kind.fields.areFine({ action }) || !name) {
    const what = `registerHook needs { type: "runtime", name, action } with a function as action.`;
    throw new HooklineError({
      code: "CONFIG_INVALID",
      what,
      next: "Pass a function that takes the input and returns an answer.",
    });
  }
  return {
    kind: "hook",
    name,
    ...(description === undefined ? {} : { description }),
    eventName,
    source: "runtime",
    family: "hookline",
    place: { file: "(program)" },
    type: hook.type,
    target: handler.kind.resolve({ action }, { dirs: [], path: "" }),
    ...(matcher === undefined ? {} : { matcher }),
    match: {},
    sequential,
    ...(hook.timeout === undefined ? {} : { timeout: hook.timeout }),
    timeoutMs: timeoutOf(hook),
    onError,
    mode,
    blocking: hook.blocking ?? spec.facing === "ai",
    hold,
    env: {},
    passEnv: [],
    replay: "run",
  };
}

function timeoutOf({ timeout, name }: Pick<RuntimeHookConfig, "timeout" | "name">): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const duration = readDuration(timeout);
  if ("error" in duration)
    throw new HooklineError({
      code: "CONFIG_INVALID",
      what: `The timeout of "${name}" is unreadable: ${duration.error}`,
    });
  return duration.ms;
}
