/** What a program builds on that reads, lists and starts more than hooks: see `DeclarationKind`. */
export { commandDoubts } from "./config/commandDoubts.ts";
export { withVariables } from "./config/commandFiles.ts";
export { resolveWords } from "./config/commandLookup.ts";
export { durationSchema } from "./config/duration.ts";
export { descriptionSchema, envSchema, passEnvSchema } from "./config/fieldSchemas.ts";
export {
  type ConfigSource,
  type EngineOptions,
  type FileFamily,
  type Finding,
  type KindSpec,
  type Lookup,
  type Off,
  type Problem,
  type Target,
  TRUST_LEVEL,
} from "./config/hookDeclaration.ts";
export { readEnv, readLimit, readNames, readText } from "./config/hookValues.ts";
export { type Entry, entryNamed, type Located, type LocatedMap, plain, quoted, shown } from "./config/located.ts";
export { doubt, fault, invalid, type Report } from "./config/problem.ts";
export { reportRepeats } from "./config/rawHook.ts";
export { reportUnknownKeys } from "./config/unknownKeys.ts";
export { variablesIn } from "./config/variables.ts";
