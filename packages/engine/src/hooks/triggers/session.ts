import type { z } from "zod";
import type { EVENTS } from "../../events/catalog.ts";
import type { Config } from "../config.ts";
import { wrapContext } from "../hookText.ts";
import { errorOf, fireHooks, hooksOf, type TriggerOptions } from "./fireHooks.ts";
import { messageOf } from "./verdict.ts";

export type SessionStartSource = z.input<typeof EVENTS.SessionStart.input>["source"];
export type SessionEndReason = z.input<typeof EVENTS.SessionEnd.input>["reason"];

/** What hooks say beside the turn. `error` says why no hook was asked. */
export interface NoteHookResult {
  /** A note for the model, to go with the next request. */
  readonly systemMessage?: string;
  readonly error?: string;
}

export interface SessionStartHookResult extends NoteHookResult {
  /** Wrapped in `<hook_context>`, ready to stand before the first prompt. */
  readonly additionalContext?: string;
}

export const NOTHING_NOTED: SessionStartHookResult = Object.freeze({});

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

export async function fireSessionEndHook(
  config: Config,
  reason: SessionEndReason,
  options: TriggerOptions = {},
): Promise<NoteHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return NOTHING_NOTED;
  const fired = await fireHooks(hooks, "SessionEnd", (handler) => handler.fireSessionEndEvent({ reason }, options));
  return { ...messageOf(fired.finalOutput), ...errorOf(fired) };
}
