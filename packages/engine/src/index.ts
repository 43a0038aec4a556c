/** The API for agents that embed the engine. Its building blocks are in `./components`. */
export { InProcessMessageBus } from "./bus/inProcessMessageBus.ts";
export type { MessageBus } from "./bus/messageBus.ts";
export { MessageBusType } from "./bus/messages.ts";
export { serveHooks } from "./bus/serveHooks.ts";
export type { TrustPolicy, TrustRequest } from "./config/trust/trustGate.ts";
export { ConfigSource } from "./config/values/configSource.ts";
export { HooklineError } from "./errors.ts";
export type { HookSignal } from "./events/abilitySchemas.ts";
export { EVENTS, HookEventName } from "./events/catalog.ts";
export type { EventCatalog, EventSpec } from "./events/eventSpec.ts";
export type { CustomEvents } from "./events/inputs.ts";
export { createHookOutput, DefaultHookOutput, type HookOutput } from "./hooks/answer/hookOutput.ts";
export { type Config, type HookDefinitions, SettingsConfig, type SettingsConfigOptions } from "./hooks/config.ts";
export type { PluginHooks } from "./hooks/handlers/loadPlugin.ts";
export { HookSystem, HookSystemNotInitializedError } from "./hooks/hookSystem.ts";
export type { HookSystemOptions, HookSystemStatus } from "./hooks/hookSystemOptions.ts";
export type { AggregatedHookResult } from "./hooks/merge/hookAggregator.ts";
export type { HookRecord, Recorder } from "./hooks/record/recorder.ts";
export type { RuntimeHookConfig } from "./hooks/registerHook.ts";
export {
  firePostAbilityCallHook,
  firePreAbilityCallHook,
  firePreAbilityCreateHook,
  firePromptSubmitHook,
  fireSessionStopHook,
} from "./hooks/triggers/ability.ts";
export {
  fireAfterAgentHook,
  fireBeforeAgentHook,
  fireNotificationHook,
  firePreCompressHook,
  MAX_AFTER_AGENT_RETRIES,
} from "./hooks/triggers/agent.ts";
export type { ApprovalAnswer, ApprovalRequest, Approve, ToolConfirmation } from "./hooks/triggers/askPerson.ts";
export { executeToolWithHooks } from "./hooks/triggers/executeTool.ts";
export {
  addSystemNote,
  fireAfterModelHook,
  fireBeforeModelHook,
  holdsResponse,
  WITHHELD_RESPONSE_TEXT,
} from "./hooks/triggers/model.ts";
export { fireSessionEndHook, fireSessionStartHook } from "./hooks/triggers/session.ts";
export { fireAfterToolHook, fireBeforeToolHook } from "./hooks/triggers/tool.ts";
export type { ExecuteToolOptions } from "./hooks/triggers/toolPermission.ts";
export type { ToolResult } from "./hooks/triggers/toolResult.ts";
export { fireBeforeToolSelectionHook, isToolAllowed } from "./hooks/triggers/toolSelection.ts";
export type { HookVerdict } from "./hooks/triggers/verdict.ts";
