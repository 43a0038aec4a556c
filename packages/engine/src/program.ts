/** The API for programs that read settings, list and trust what they declare, and show what hooks did. */
export { commandDoubts } from "./config/hooks/commandDoubts.ts";
export { withVariables } from "./config/hooks/commandFiles.ts";
export { resolveWords } from "./config/hooks/commandLookup.ts";
export {
  type DeclarationContext,
  type DeclarationKind,
  type DeclarationOrigin,
  type DeclarationWords,
  type Declared,
  declaredOf,
} from "./config/hooks/declarationKind.ts";
export { enumerated, isHook, wordsOf } from "./config/hooks/declarations.ts";
export { compileGlob, compileGlobs, globFault, type PathMatcher } from "./config/hooks/glob.ts";
export {
  type AnyDeclaration,
  type Declaration,
  type HookDeclaration,
  type KindSpec,
  type Lookup,
  type Off,
  type OtherDeclaration,
  type Target,
  takesEffect,
} from "./config/hooks/hookDeclaration.ts";
export { withoutLoaders } from "./config/hooks/loaderVariables.ts";
export { hitsAny, plainWords } from "./config/hooks/pattern.ts";
export { reportRepeats } from "./config/hooks/rawHook.ts";
export type { FileChange } from "./config/layers/fileTexts.ts";
export { homeFolder } from "./config/layers/homeFolder.ts";
export type { Extension, LoadedSettings } from "./config/layers/loadedSettings.ts";
export { findProjectRoot, isProjectRoot } from "./config/layers/projectRoot.ts";
export { settingsSchema, yamlHookSchema } from "./config/layers/settingsSchema.ts";
export type { UnreadPolicy } from "./config/layers/unreadSettings.ts";
export { needsTrust } from "./config/trust/examine.ts";
export { fingerprint, projectFingerprint } from "./config/trust/fingerprint.ts";
export { foldPath } from "./config/trust/foldedPath.ts";
export {
  isAbout,
  isOutdated,
  kindOfEntry,
  OUTDATED_TRUST,
  type TrustedEntry,
  type TrustedProject,
  TrustStore,
} from "./config/trust/trustStore.ts";
export { type FileFamily, TRUST_LEVEL } from "./config/values/configSource.ts";
export { durationSchema, readDuration } from "./config/values/duration.ts";
export { descriptionSchema, envSchema, passEnvSchema } from "./config/values/fieldSchemas.ts";
export { contentHash } from "./config/values/fileContent.ts";
export { readEnv, readLimit, readNames, readText } from "./config/values/hookValues.ts";
export {
  type Entry,
  entryNamed,
  type Located,
  type LocatedMap,
  plain,
  quoted,
  repeatedEntries,
  shown,
} from "./config/values/located.ts";
export { didYouMean, nearest } from "./config/values/nearest.ts";
export type { EngineOptions, JournalOptions } from "./config/values/options.ts";
export { parseYaml } from "./config/values/parseYaml.ts";
export { doubt, fault, invalid, type Problem, type ProblemText, type Report } from "./config/values/problem.ts";
export { reportUnknownKeys } from "./config/values/unknownKeys.ts";
export { fillVariables, variablesIn } from "./config/values/variables.ts";
export {
  type Capabilities,
  type Capability,
  type Evidence,
  OUTCOMES,
  type OutcomeName,
} from "./dialects/capability.ts";
export { decodeAnswer } from "./dialects/decodeAnswer.ts";
export { decodeCall } from "./dialects/decodeCall.ts";
export type { Degradation } from "./dialects/degrade.ts";
export type {
  DecodedCall,
  Dialect,
  DialectEvent,
  DialectTool,
  EventPart,
  HostAnswer,
  HostEvent,
  HostFacts,
  OurAnswer,
} from "./dialects/dialect.ts";
export { DIALECTS, type DialectName } from "./dialects/dialects.ts";
export { type AnswerOptions, type EncodedAnswer, encodeAnswer, refusal } from "./dialects/encodeAnswer.ts";
export { encodeInput, type HostInput } from "./dialects/encodeInput.ts";
export { type Fields, isFields } from "./dialects/fields.ts";
export { type OwnNoRow, ownNo, ownNoRows } from "./dialects/ownNo.ts";
export { ADVICE, type ErrorCode, formatPlace, type Place } from "./errors.ts";
export { baseInput } from "./events/baseInput.ts";
export { MAX_LEVELS, plainFields, presentable, TOO_DEEP, wellFormed } from "./events/plainJson.ts";
export { KNOWN_TOOLS, mcpToolName, namesOf, type ToolNames } from "./events/toolNames.ts";
export type { McpContext } from "./events/toolSchemas.ts";
export { type Answer, answeredDecision, type Decision, type Failure } from "./hooks/answer/answer.ts";
export type { Ending } from "./hooks/answer/ending.ts";
export { neutralise, wrapContext } from "./hooks/answer/hookText.ts";
export { callEndpoint } from "./hooks/handlers/httpEndpoint.ts";
export { HANDLERS } from "./hooks/handlers/index.ts";
export { defaultHookTranslator } from "./hooks/hookTranslator.ts";
export type { HookPlanner, PlannedHook } from "./hooks/plan/hookPlanner.ts";
export type { HookRegistryEntry } from "./hooks/plan/hookRegistry.ts";
export type { Approval, Pass, RecordOf, Rewrite } from "./hooks/record/recorder.ts";
export type { AbilityHookResult } from "./hooks/triggers/ability.ts";
export type { CompressTrigger } from "./hooks/triggers/agent.ts";
export { askPerson, type PersonsAnswer } from "./hooks/triggers/askPerson.ts";
export { errorText } from "./hooks/triggers/errorText.ts";
export type { ToolPaths } from "./hooks/triggers/runTool.ts";
export { protectedWrites, SELF_PROTECTION, withQuestion } from "./hooks/triggers/selfProtection.ts";
export type { SessionEndReason, SessionStartSource } from "./hooks/triggers/session.ts";
export { summarise } from "./hooks/triggers/summary.ts";
export { notificationOf } from "./hooks/triggers/toolApproval.ts";
export type { ToolContent, ToolPart, ToolStop } from "./hooks/triggers/toolResult.ts";
export type { BeforeToolSelectionHookResult } from "./hooks/triggers/toolSelection.ts";
export { objectorsOf } from "./hooks/triggers/verdict.ts";
export { redactText } from "./secrets/redact.ts";
export { REDACTED } from "./secrets/redacted.ts";
export { isSecretName } from "./secrets/secretNames.ts";
