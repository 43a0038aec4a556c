export type { HookRequest, RequestOptions } from "../bus/messageBus.ts";
export type {
  BusMessage,
  BusMessages,
  HookExecutionOutcome,
  HookExecutionRequest,
  HookExecutionResponse,
} from "../bus/messages.ts";
export { ConfigSource } from "../config/values/configSource.ts";
export type { HookSignal } from "../events/abilitySchemas.ts";
export { HookEventName } from "../events/catalog.ts";
export type * from "../events/inputs.ts";
export type { HookToolConfig, LLMRequest, LLMResponse } from "../events/modelSchemas.ts";
export {
  AbilityHookOutput,
  AfterAgentHookOutput,
  AfterModelHookOutput,
  AfterToolHookOutput,
  BeforeAgentHookOutput,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  createHookOutput,
  DefaultHookOutput,
  type HookOutput,
} from "../hooks/answer/hookOutput.ts";
export { type Config, type HookDefinition, type HookDefinitions, SettingsConfig } from "../hooks/config.ts";
export type { EventMethods, FireOptions } from "../hooks/eventMethods.ts";
export type { HookHandler, HookRun, Services, StartedKind } from "../hooks/handlers/handler.ts";
export type { HookConfig } from "../hooks/hookConfig.ts";
export { collectHookSignals, type HookRunResult } from "../hooks/hookRunResult.ts";
export { HookSystem, HookSystemNotInitializedError } from "../hooks/hookSystem.ts";
export type { SwitchedOff } from "../hooks/hookSystemOptions.ts";
export { defaultHookTranslator, type HookTranslator, HookTranslatorGenAIv1 } from "../hooks/hookTranslator.ts";
export type { HookError } from "../hooks/merge/hookAggregator.ts";
export { type HookEventContext, HookPlanner, type SkippedHook } from "../hooks/plan/hookPlanner.ts";
export { HookRegistry, HookRegistryNotInitializedError } from "../hooks/plan/hookRegistry.ts";
export type { RegisterOptions } from "../hooks/registerHook.ts";
export type {
  GenerateContentParameters,
  GenerateContentResponse,
  ToolConfig,
  ToolListUnion,
} from "../hooks/sdkTypes.ts";
export type { TelemetryOptions } from "../hooks/telemetry/telemetry.ts";
export * from "../hooks/triggers/index.ts";
export { HookAggregator, type HookRunSummary as HookExecutionResult } from "./hookAggregator.ts";
export { HookEventHandler } from "./hookEventHandler.ts";
export { HookRunner } from "./hookRunner.ts";
export type { AggregatedHookResult, HookExecutionPlan, HookRegistryEntry } from "./literals.ts";
