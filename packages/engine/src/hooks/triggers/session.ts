import type { z } from "zod";
import type { EVENTS, HookEventName } from "../../events/catalog.ts";
import { wrapContext } from "../answer/hookText.ts";
import type { Config } from "../config.ts";
import { errorOf, type Fire, fireHooks, type TriggerOptions } from "./fireHooks.ts";
import { hooksOf } from "./hooksOf.ts";
import { messageOf } from "./verdict.ts";

export type SessionStartSource = z.input<typeof EVENTS.SessionStart.input>["source"];
export type SessionEndReason = z.input<typeof EVENTS.SessionEnd.input>["reason"];

/** Notes of hooks that do not affect the turn. `error` says why no hook ran. */
export interface NoteHookResult {
  /** A note for the model, to be sent with the next request. */
  readonly systemMessage?: string;
  readonly error?: string;
}

export interface SessionStartHookResult extends NoteHookResult {
  /** Wrapped in `<hook_context>`, to be placed before the first prompt. */
  readonly additionalContext?: string;
}

const NOTHING_NOTED: SessionStartHookResult = Object.freeze({});

/** For events that hooks cannot object to: returns their notes. */
export async function fireNoteHook<Name extends HookEventName>(
  config: Config,
  eventName: Name,
  fire: Fire<Name>,
): Promise<NoteHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return NOTHING_NOTED;
  const fired = await fireHooks(hooks, eventName, fire);
  return { ...messageOf(fired.finalOutput), ...errorOf(fired) };
}

export async function fireSessionStartHook(
  config: Config,
  source: SessionStartSource,
  options: TriggerOptions = {},
): Promise<SessionStartHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return NOTHING_NOTED;
  const fired = await fireHooks(hooks, "SessionStart", (handler) => handler.fireSessionStartEvent({ source }, options));
  const context = fired.finalOutput?.getAdditionalContext();
  return {
    ...messageOf(fired.finalOutput),
    ...(context === undefined ? {} : { additionalContext: wrapContext(context) }),
    ...errorOf(fired),
  };
}

export function fireSessionEndHook(
  config: Config,
  reason: SessionEndReason,
  options: TriggerOptions = {},
): Promise<NoteHookResult> {
  return fireNoteHook(config, "SessionEnd", (handler) => handler.fireSessionEndEvent({ reason }, options));
}
