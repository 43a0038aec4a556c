import { codeOf } from "../../errors.ts";
import { EVENTS, type HookEventName } from "../../events/catalog.ts";
import { createHookOutput, type OutputOf } from "../answer/hookOutput.ts";
import type { EventMethods } from "../eventMethods.ts";
import { refusedEvent } from "../failedEvent.ts";
import type { HookEventHandler } from "../hookEventHandler.ts";
import type { AggregatedHookResult, HookError } from "../merge/hookAggregator.ts";
import { orAborted } from "../run/orAborted.ts";
import { errorText } from "./errorText.ts";
import type { Hooks } from "./hooksOf.ts";

export interface TriggerOptions {
  readonly signal?: AbortSignal;
}

export type Fired<Name extends HookEventName> = AggregatedHookResult<OutputOf<(typeof EVENTS)[Name]["output"]>>;

/** Fires one event on a started system. */
export type Fire<Name extends HookEventName> = (handler: HookEventHandler & EventMethods) => Promise<Fired<Name>>;

/**
 * Fires an event, starting the system first if necessary, and never rejects. A guard cannot be bypassed by making
 * hooks fail to run: an event that can block comes back blocked with the reason, any other with `errors`.
 */
export async function fireHooks<Name extends HookEventName>(
  hooks: Hooks,
  eventName: Name,
  fire: Fire<Name>,
  { signal }: TriggerOptions = {},
): Promise<Fired<Name>> {
  try {
    // Starting may mean asking a person for trust.
    const result = await fire(hooks.getStartedHandler() ?? (await orAborted(start(hooks), signal)));
    const wrong = result.errors.find(({ code }) => code === "INPUT_INVALID");
    return wrong ? refused(eventName, wrong) : result;
  } catch (error) {
    return refused(eventName, { code: codeOf(error), message: errorText(error) });
  }
}

/** Why no hook ran, for an event that cannot block. */
export function errorOf({ results, errors: [error] }: AggregatedHookResult): { readonly error?: string } {
  return error && results.length === 0 ? { error: error.message } : {};
}

/** For our own bug: the hooks' answer cannot be translated into the agent's types; continuing without it is not safe. */
export function notApplied(error: unknown): string {
  return `The hooks' answer could not be applied: ${errorText(error)}`;
}

async function start(hooks: Hooks): Promise<HookEventHandler & EventMethods> {
  await hooks.initialize();
  return hooks.getEventHandler();
}

/** Created by name: the output class follows from the row, which the types of an erased row cannot express. */
function refused<Name extends HookEventName>(eventName: Name, error: HookError): Fired<Name> {
  const { finalOutput, ...result } = refusedEvent(EVENTS[eventName], error);
  return finalOutput ? { ...result, finalOutput: createHookOutput(eventName, finalOutput) } : result;
}
