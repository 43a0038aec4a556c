/** What a program builds on that reads settings, lists and trusts what they declare, and shows what hooks did. */
export { commandDoubts } from "./config/commandDoubts.ts";
export { withVariables } from "./config/commandFiles.ts";
export { resolveWords } from "./config/commandLookup.ts";
export {
  type DeclarationContext,
  type DeclarationKind,
  type DeclarationOrigin,
  type DeclarationWords,
  type Declared,
  declaredOf,
} from "./config/declarationKind.ts";
export { enumerated, isHook, wordsOf } from "./config/declarations.ts";
export { durationSchema, readDuration } from "./config/duration.ts";
export { needsTrust } from "./config/examine.ts";
export { descriptionSchema, envSchema, passEnvSchema } from "./config/fieldSchemas.ts";
export type { FileChange } from "./config/fileTexts.ts";
export { contentHash, fingerprint, projectFingerprint } from "./config/fingerprint.ts";
export { foldPath } from "./config/foldedPath.ts";
export { compileGlob, compileGlobs, globFault, type PathMatcher } from "./config/glob.ts";
export { homeFolder } from "./config/homeFolder.ts";
export {
  type AnyDeclaration,
  type Declaration,
  type EngineOptions,
  type Extension,
  type FileFamily,
  type Finding,
  type HookDeclaration,
  type JournalOptions,
  type KindSpec,
  type LoadedSettings,
  type Lookup,
  type Off,
  type OtherDeclaration,
  type Problem,
  type Target,
  TRUST_LEVEL,
  takesEffect,
} from "./config/hookDeclaration.ts";
export { readEnv, readLimit, readNames, readText } from "./config/hookValues.ts";
export {
  type Entry,
  entryNamed,
  type Located,
  type LocatedMap,
  plain,
  quoted,
  repeatedEntries,
  shown,
} from "./config/located.ts";
export { didYouMean, nearest } from "./config/nearest.ts";
export { parseYaml } from "./config/parseYaml.ts";
export { hitsAny, plainWords } from "./config/pattern.ts";
export { doubt, fault, invalid, type Report } from "./config/problem.ts";
export { isProjectRoot } from "./config/projectRoot.ts";
export { reportRepeats } from "./config/rawHook.ts";
export { settingsSchema, yamlHookSchema } from "./config/settingsSchema.ts";
export { kindOfEntry, type TrustedEntry, type TrustedProject, TrustStore } from "./config/trustStore.ts";
export { reportUnknownKeys } from "./config/unknownKeys.ts";
export type { UnreadPolicy } from "./config/unreadSettings.ts";
export { fillVariables, variablesIn } from "./config/variables.ts";
export { ADVICE, type ErrorCode, formatPlace, type Place } from "./errors.ts";
export { baseInput } from "./events/baseInput.ts";
export { MAX_LEVELS, plainFields, presentable, TOO_DEEP, wellFormed } from "./events/plainJson.ts";
export { KNOWN_TOOLS, namesOf, type ToolNames } from "./events/toolNames.ts";
export type { McpContext } from "./events/toolSchemas.ts";
export { type Answer, answeredDecision, type Decision, type Failure } from "./hooks/answer.ts";
export type { Ending } from "./hooks/ending.ts";
export { callEndpoint } from "./hooks/handlers/httpEndpoint.ts";
export { HANDLERS } from "./hooks/handlers/index.ts";
export type { HookPlanner, PlannedHook } from "./hooks/hookPlanner.ts";
export type { HookRegistryEntry } from "./hooks/hookRegistry.ts";
export { neutralise, wrapContext } from "./hooks/hookText.ts";
export { defaultHookTranslator } from "./hooks/hookTranslator.ts";
export type { Approval, Pass, RecordOf, Rewrite } from "./hooks/recorder.ts";
export type { AbilityHookResult } from "./hooks/triggers/ability.ts";
export type { CompressTrigger } from "./hooks/triggers/agent.ts";
export { redactText } from "./hooks/triggers/redact.ts";
export { REDACTED } from "./hooks/triggers/redacted.ts";
export type { ToolPaths } from "./hooks/triggers/runTool.ts";
export { isSecretName } from "./hooks/triggers/secretNames.ts";
export type { SessionEndReason, SessionStartSource } from "./hooks/triggers/session.ts";
export { summarise } from "./hooks/triggers/summary.ts";
export type { ToolContent, ToolPart, ToolStop } from "./hooks/triggers/toolResult.ts";
export type { BeforeToolSelectionHookResult } from "./hooks/triggers/toolSelection.ts";
