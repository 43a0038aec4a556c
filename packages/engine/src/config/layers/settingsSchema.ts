import { z } from "zod";
import type { DeclarationKind } from "../hooks/declarationKind.ts";
import type { KindSpec } from "../hooks/hookDeclaration.ts";
import { HOOK_FIELDS } from "../hooks/hookFields.ts";
import {
  descriptionSchema,
  envSchema,
  matcherSchema,
  nameSchema,
  passEnvSchema,
  timeoutSchema,
} from "../values/fieldSchemas.ts";
import { approvalsSchema } from "./approvals.ts";
import { OPTION_SPECS } from "./optionSpecs.ts";

const { onError, mode, blocking, hold, replay, retries, sequential } = HOOK_FIELDS;

/** The schema of a settings file, for editors and for the reference; the reader itself is more lenient. */
export function settingsSchema(
  kinds: readonly KindSpec[],
  eventNames: readonly string[],
  declares: readonly DeclarationKind[] = [],
): z.ZodObject {
  const hook = z.union(kinds.filter(({ yamlKind }) => yamlKind !== null).map(jsonHook));
  const definition = z.strictObject({
    matcher: matcherSchema.optional(),
    sequential: sequential.schema().optional(),
    hooks: z.array(hook).describe("the hooks to run"),
  });
  const events = eventNames.map((name) => [name, z.array(definition).optional().describe(`hooks on ${name}`)]);
  const options = Object.entries(OPTION_SPECS).map(([key, { schema }]) => [key, schema().optional()]);
  const others = declares.flatMap(({ from, schema }) =>
    "settings" in from && schema ? [[from.settings, schema().optional()]] : [],
  );
  return z.looseObject({
    hooks: z.strictObject(Object.fromEntries(events)).optional().describe("the hooks, by event"),
    hooksConfig: z
      .strictObject({
        enabled: z.boolean().optional().describe("false: turns off every hook that this file may switch; default true"),
        disabled: z.array(z.string()).optional().describe("names of hooks to turn off"),
        ...Object.fromEntries(options),
      })
      .optional()
      .describe("switches and engine options"),
    ...Object.fromEntries(others),
    approvals: approvalsSchema.optional(),
    tools: z
      .looseObject({ enableHooks: z.boolean().optional().describe("the older name of hooksConfig.enabled") })
      .optional()
      .describe("settings of the agent's tools"),
  });
}

/** The schema of `.system/hooks/*.yaml`: one hook per file. */
export function yamlHookSchema(kinds: readonly KindSpec[], eventNames: readonly string[]): z.ZodObject {
  return z.strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9]+([-_][a-z0-9]+)*$/)
      .describe("unique, in kebab- or snake-case; the hook's name"),
    event_type: z.enum(eventNames).describe("the event it runs on"),
    enabled: z.boolean().optional().describe("false: declared, but not run; default true"),
    blocking: blocking.schema().optional(),
    summary: descriptionSchema.optional(),
    match: matchSchema.optional(),
    handler: z.union(kinds.flatMap((kind) => yamlHandler(kind) ?? [])).describe("what to run"),
    on_failure: z.enum(["skip", "fail"]).optional().describe("what a failure of this hook means; default skip"),
    mode: mode.schema().optional(),
    hold: hold.schema().optional(),
    replay: replay.schema().optional(),
    sequential: sequential.schema().optional(),
    effects: z.unknown().optional().describe("what the handler does, in words; never executed"),
  });
}

const globs = z.union([z.string(), z.array(z.string())]);
const matchSchema = z
  .strictObject({
    ability_scope: globs.optional().describe('globs over ability ids and operation keys; "*" is every ability'),
    min_duration_ms: z.number().min(0).optional().describe("PostAbilityCall: the call took at least this long"),
    only_if_changed_paths: globs
      .optional()
      .describe("SessionStop: globs over the changed paths, from the project root"),
    subject: matcherSchema.optional(),
  })
  .describe("when the hook runs: all given conditions must hold");

function jsonHook(kind: KindSpec): z.ZodObject {
  const { ignores = [] } = kind;
  return z.strictObject({
    type: z.literal(kind.type).describe("the kind of hook"),
    ...kind.fields.schema().shape,
    name: nameSchema.optional(),
    description: descriptionSchema.optional(),
    timeout: timeoutSchema.optional(),
    onError: onError.schema().optional(),
    mode: mode.schema().optional(),
    blocking: blocking.schema().optional(),
    hold: hold.schema().optional(),
    ...(ignores.includes("env") ? {} : { env: envSchema.optional() }),
    ...(ignores.includes("passEnv") ? {} : { passEnv: passEnvSchema.optional() }),
    ...(ignores.includes("retries") ? {} : { retries: retries.schema().optional() }),
    replay: replay.schema().optional(),
  });
}

function yamlHandler(kind: KindSpec): z.ZodObject | undefined {
  if (kind.yamlKind === null) return undefined;
  const { ignores = [] } = kind;
  return z.strictObject({
    kind: z.enum([kind.yamlKind, kind.type]).describe("the kind of handler"),
    ...kind.fields.schema().shape,
    timeout: timeoutSchema.optional(),
    ...(ignores.includes("env") ? {} : { env: envSchema.optional() }),
    ...(ignores.includes("passEnv") ? {} : { pass_env: passEnvSchema.optional() }),
    ...(ignores.includes("retries") ? {} : { retries: retries.schema().optional() }),
  });
}
