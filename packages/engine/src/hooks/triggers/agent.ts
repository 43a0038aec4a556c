import type { z } from "zod";
import type { EVENTS } from "../../events/catalog.ts";
import { neutralise, wrapContext } from "../answer/hookText.ts";
import type { Config } from "../config.ts";
import { fireHooks, type TriggerOptions } from "./fireHooks.ts";
import { hooksOf } from "./hooksOf.ts";
import { fireNoteHook, type NoteHookResult } from "./session.ts";
import { type HookVerdict, verdictOf } from "./verdict.ts";

/** How often an objection to an answer is sent back to the model within one turn. */
export const MAX_AFTER_AGENT_RETRIES = 5;

export interface BeforeAgentHookResult extends HookVerdict {
  /** The prompt after the hooks' changes, for the model: it cannot forge text from hooks. */
  readonly prompt: string;
  /** Wrapped in `<hook_context>`, to be placed after the prompt. */
  readonly additionalContext?: string;
}

export interface AfterAgentHookResult extends HookVerdict {
  /** Whether to forget the conversation so far. */
  readonly clearContext?: boolean;
}

export interface AgentTurn {
  /** The user's prompt, even if an objection caused the answer. */
  readonly prompt: string;
  readonly promptResponse: string;
  /** True when an earlier objection caused this answer. */
  readonly stopHookActive?: boolean;
}

export type CompressTrigger = z.input<typeof EVENTS.PreCompress.input>["trigger"];
export type HookNotification = z.input<typeof EVENTS.Notification.input>;

/** Blocked: the prompt is not stored. Stopped: it is. Either way the model is not called and the turn ends. */
export async function fireBeforeAgentHook(
  config: Config,
  prompt: string,
  options: TriggerOptions = {},
): Promise<BeforeAgentHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return { blocked: false, prompt };
  const fired = await fireHooks(
    hooks,
    "BeforeAgent",
    (handler) => handler.fireBeforeAgentEvent({ prompt }, options),
    options,
  );
  const { finalOutput: output } = fired;
  const context = output?.getAdditionalContext();
  return {
    ...verdictOf(fired),
    prompt: neutralise(output?.getModifiedPrompt() ?? prompt),
    ...(context === undefined ? {} : { additionalContext: wrapContext(context) }),
  };
}

/** Blocked: the reason goes back to the model, at most `MAX_AFTER_AGENT_RETRIES` times. Stopped: the turn ends. */
export async function fireAfterAgentHook(
  config: Config,
  { prompt, promptResponse, stopHookActive = false }: AgentTurn,
  options: TriggerOptions = {},
): Promise<AfterAgentHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return { blocked: false };
  const input = { prompt, prompt_response: promptResponse, stop_hook_active: stopHookActive };
  const fired = await fireHooks(hooks, "AfterAgent", (handler) => handler.fireAfterAgentEvent(input, options), options);
  return { ...verdictOf(fired), ...(fired.finalOutput?.shouldClearContext() ? { clearContext: true } : {}) };
}

/** Fire it only when compression really follows. */
export function firePreCompressHook(
  config: Config,
  trigger: CompressTrigger,
  options: TriggerOptions = {},
): Promise<NoteHookResult> {
  return fireNoteHook(config, "PreCompress", (handler) => handler.firePreCompressEvent({ trigger }, options));
}

/** Fire it before asking a person; `executeToolWithHooks` does so automatically. */
export function fireNotificationHook(
  config: Config,
  notification: HookNotification,
  options: TriggerOptions = {},
): Promise<NoteHookResult> {
  return fireNoteHook(config, "Notification", (handler) => handler.fireNotificationEvent(notification, options));
}
