import { readDuration } from "../config/duration.ts";
import type { HookDeclaration } from "../config/hookDeclaration.ts";
import { didYouMean } from "../config/nearest.ts";
import { HooklineError } from "../errors.ts";
import type { EventCatalog } from "../events/eventSpec.ts";
import type { Action } from "./handlers/actionCall.ts";
import type { HookHandler } from "./handlers/handler.ts";

/** A hook that the embedding program brings: a function, with the settings any hook has. */
export interface RuntimeHookConfig {
  readonly type: "runtime";
  readonly name: string;
  readonly action: Action;
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
  hook: RuntimeHookConfig,
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
  const parsed = handler?.kind.fields.safeParse({ action });
  if (!handler || !parsed?.success || !name) {
    const what = `registerHook needs { type: "runtime", name, action } with a function as action.`;
    throw new HooklineError({
      code: "CONFIG_INVALID",
      what,
      next: "Pass a function that takes the input and returns an answer.",
    });
  }
  return {
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

function timeoutOf({ timeout, name }: RuntimeHookConfig): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const duration = readDuration(timeout);
  if ("error" in duration)
    throw new HooklineError({
      code: "CONFIG_INVALID",
      what: `The timeout of "${name}" is unreadable: ${duration.error}`,
    });
  return duration.ms;
}
