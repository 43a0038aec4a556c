export { InProcessMessageBus } from "./bus/inProcessMessageBus.ts";
export type { HookRequest, MessageBus, RequestOptions } from "./bus/messageBus.ts";
export {
  type BusMessage,
  type BusMessages,
  type HookExecutionOutcome,
  type HookExecutionRequest,
  type HookExecutionResponse,
  MessageBusType,
} from "./bus/messages.ts";
export { serveHooks } from "./bus/serveHooks.ts";
export {
  type DeclarationContext,
  type DeclarationKind,
  type DeclarationOrigin,
  type DeclarationWords,
  type Declared,
  declaredOf,
} from "./config/declarationKind.ts";
export { enumerated, isHook, wordsOf } from "./config/declarations.ts";
export { readDuration } from "./config/duration.ts";
export { needsTrust } from "./config/examine.ts";
export type { FileChange } from "./config/fileTexts.ts";
export { contentHash, fingerprint, projectFingerprint } from "./config/fingerprint.ts";
export { foldPath } from "./config/foldedPath.ts";
export { compileGlob, compileGlobs, globFault, type PathMatcher } from "./config/glob.ts";
export { homeFolder } from "./config/homeFolder.ts";
export type {
  AnyDeclaration,
  Declaration,
  EngineOptions,
  JournalOptions,
  Off,
  OtherDeclaration,
  Problem,
} from "./config/hookDeclaration.ts";
export {
  ConfigSource,
  type Extension,
  type HookDeclaration,
  type LoadedSettings,
  takesEffect,
} from "./config/hookDeclaration.ts";
export { type Located, plain, repeatedEntries } from "./config/located.ts";
export { didYouMean, nearest } from "./config/nearest.ts";
export { parseYaml } from "./config/parseYaml.ts";
export { hitsAny, plainWords } from "./config/pattern.ts";
export { isProjectRoot } from "./config/projectRoot.ts";
export { settingsSchema, yamlHookSchema } from "./config/settingsSchema.ts";
export type { TrustPolicy, TrustRequest } from "./config/trustGate.ts";
export { kindOfEntry, type TrustedEntry, type TrustedProject, TrustStore } from "./config/trustStore.ts";
export type { UnreadPolicy } from "./config/unreadSettings.ts";
export { fillVariables } from "./config/variables.ts";
export { ADVICE, type ErrorCode, formatPlace, HooklineError, type Place } from "./errors.ts";
export type { HookSignal } from "./events/abilitySchemas.ts";
export { baseInput } from "./events/baseInput.ts";
export { EVENTS, HookEventName } from "./events/catalog.ts";
export type { EventCatalog, EventSpec } from "./events/eventSpec.ts";
export type * from "./events/inputs.ts";
export type { HookToolConfig, LLMRequest, LLMResponse } from "./events/modelSchemas.ts";
export { MAX_LEVELS, plainFields, presentable, TOO_DEEP, wellFormed } from "./events/plainJson.ts";
export { KNOWN_TOOLS, namesOf, type ToolNames } from "./events/toolNames.ts";
export type { McpContext } from "./events/toolSchemas.ts";
export { type Answer, answeredDecision, type Decision, type Failure } from "./hooks/answer.ts";
export {
  type Config,
  type HookDefinition,
  type HookDefinitions,
  SettingsConfig,
  type SettingsConfigOptions,
} from "./hooks/config.ts";
export type { Ending } from "./hooks/ending.ts";
export type { HookHandler, HookRun, Services, StartedKind } from "./hooks/handlers/handler.ts";
export { callEndpoint } from "./hooks/handlers/httpEndpoint.ts";
export { HANDLERS } from "./hooks/handlers/index.ts";
export type { PluginHooks } from "./hooks/handlers/loadPlugin.ts";
export type { AggregatedHookResult, HookError } from "./hooks/hookAggregator.ts";
export type { HookConfig } from "./hooks/hookConfig.ts";
export type { EventMethods, FireOptions, HookEventHandler } from "./hooks/hookEventHandler.ts";
export type { HookExecutionResult } from "./hooks/hookExecutionResult.ts";
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
} from "./hooks/hookOutput.ts";
export type {
  HookEventContext,
  HookExecutionPlan,
  HookPlanner,
  PlannedHook,
  SkippedHook,
} from "./hooks/hookPlanner.ts";
export { HookRegistry, type HookRegistryEntry, HookRegistryNotInitializedError } from "./hooks/hookRegistry.ts";
export { collectHookSignals, type HookRunResult } from "./hooks/hookRunResult.ts";
export { HookSystem, HookSystemNotInitializedError } from "./hooks/hookSystem.ts";
export type { HookSystemOptions, HookSystemStatus, SwitchedOff } from "./hooks/hookSystemOptions.ts";
export { neutralise, wrapContext } from "./hooks/hookText.ts";
export { defaultHookTranslator, type HookTranslator, HookTranslatorGenAIv1 } from "./hooks/hookTranslator.ts";
export type { Approval, HookRecord, Pass, Recorder, RecordOf, Rewrite } from "./hooks/recorder.ts";
export type { RegisterOptions, RuntimeHookConfig } from "./hooks/registerHook.ts";
export type { TelemetryOptions } from "./hooks/telemetry/telemetry.ts";
export * from "./hooks/triggers/index.ts";
