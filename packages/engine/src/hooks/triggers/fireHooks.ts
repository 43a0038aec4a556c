import { codeOf } from "../../errors.ts";
import { EVENTS, type HookEventName } from "../../events/catalog.ts";
import { KNOWN_TOOLS, type ToolNames } from "../../events/toolNames.ts";
import { createHookOutput, type OutputOf } from "../answer/hookOutput.ts";
import type { Config } from "../config.ts";
import { refusedEvent } from "../failedEvent.ts";
import type { EventMethods, HookEventHandler } from "../hookEventHandler.ts";
import type { HookSystem } from "../hookSystem.ts";
import type { AggregatedHookResult, HookError } from "../merge/hookAggregator.ts";
import { orAborted } from "../run/orAborted.ts";
import { errorText } from "./errorText.ts";

export interface TriggerOptions {
  readonly signal?: AbortSignal;
}

export type Fired<Name extends HookEventName> = AggregatedHookResult<OutputOf<(typeof EVENTS)[Name]["output"]>>;

/** Fires one event on a system that is started. */
export type Fire<Name extends HookEventName> = (handler: HookEventHandler & EventMethods) => Promise<Fired<Name>>;

/** A config that fails when it is asked for its hooks may well have some. */
export type Hooks = HookSystem | Error;

/** Undefined when hooks are off. */
export function hooksOf(config: Config): Hooks | undefined {
  try {
    return config.getHookSystem();
  } catch (error) {
    return error instanceof Error ? error : new Error(errorText(error));
  }
}

/**
 * Fires an event, on a system that is started first if need be, and never rejects. Hooks that could not be asked are no
 * way past a guard: an event that can block comes back blocked with the reason, any other with `errors`.
 */
export async function fireHooks<Name extends HookEventName>(
  hooks: Hooks,
  eventName: Name,
  fire: Fire<Name>,
  { signal }: TriggerOptions = {},
): Promise<Fired<Name>> {
  try {
    if (hooks instanceof Error) throw hooks;
    // To start may mean to ask a person for trust.
    const result = await fire(hooks.getStartedHandler() ?? (await orAborted(start(hooks), signal)));
    const wrong = result.errors.find(({ code }) => code === "INPUT_INVALID");
    return wrong ? refused(eventName, wrong) : result;
  } catch (error) {
    return refused(eventName, { code: codeOf(error), message: errorText(error) });
  }
}

export function toolNames(hooks: Hooks): ToolNames {
  return hooks instanceof Error ? KNOWN_TOOLS : hooks.getToolNames();
}

/** Why nobody was asked, on an event that cannot block. */
export function errorOf({ results, errors: [error] }: AggregatedHookResult): { readonly error?: string } {
  return error && results.length === 0 ? { error: error.message } : {};
}

/** Our own bug, where what hooks said cannot be put into the agent's terms; going on without it is not safe. */
export function notApplied(error: unknown): string {
  return `What the hooks answered could not be applied: ${errorText(error)}`;
}

async function start(system: HookSystem): Promise<HookEventHandler & EventMethods> {
  await system.initialize();
  return system.getEventHandler();
}

/** The output class follows from the row, which the types of an erased row cannot say; so it is made from the name. */
function refused<Name extends HookEventName>(eventName: Name, error: HookError): Fired<Name> {
  const { finalOutput, ...result } = refusedEvent(EVENTS[eventName], error);
  return finalOutput ? { ...result, finalOutput: createHookOutput(eventName, finalOutput) } : result;
}
