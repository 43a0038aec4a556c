import { durationSchema, envSchema, KNOWN_TOOLS } from "@hookline/engine/program";
import { z } from "zod";
import { HTTP_FIELDS, SERVER_NAME } from "../servers/serverFields.ts";
import { ABILITY_KINDS, type AbilityKind } from "./abilityDeclaration.ts";

export const ABILITY_ID = /^[a-z0-9]+([-_][a-z0-9]+)*$/;
/** Has no slash, because `*` in `ability_scope` does not match one. */
export const OPERATION_KEY = /^[A-Za-z0-9_]+([.:-][A-Za-z0-9_]+)*$/;

const text = z
  .string({ error: "it must be text" })
  .regex(/\S/, { error: "it must not be empty" })
  .regex(/^[^\0]*$/, { error: "it must not contain a NUL character" });

/** The fields of an implementation by kind, without those about the environment of its program. */
export const SCRIPT = z.object({
  command: text.describe("the program to start with its arguments, or shell text; its input is JSON on standard input"),
});
export const MCP = z.object({
  server: text
    .regex(SERVER_NAME, { error: "it must be the name of a server in mcpServers" })
    .describe("the MCP server, by its name in mcpServers"),
  tool: text.describe("the tool, as the server calls it"),
});
export const HTTP = z.object({
  url: HTTP_FIELDS.shape.url.describe("the address that receives the input as JSON: https, or http on this machine"),
  // The input is the body of the request, so GET is not possible.
  method: z
    .enum(["POST", "PUT", "PATCH", "DELETE"], { error: "it must be POST, PUT, PATCH or DELETE" })
    .optional()
    .describe("default POST"),
  headers: HTTP_FIELDS.shape.headers.describe(`further headers; \${NAME} stands for a variable that pass_env names`),
});

const passEnv = z
  .array(z.string().min(1))
  .describe("names of withheld variables (credentials) that this ability receives");
const IMPLEMENTATIONS = {
  script: z.strictObject({
    kind: z.literal("script").describe("a process per run"),
    ...SCRIPT.shape,
    env: envSchema.optional(),
    pass_env: passEnv.optional(),
  }),
  mcp: z.strictObject({ kind: z.literal("mcp").describe("a tool of an MCP server"), ...MCP.shape }),
  http: z.strictObject({
    kind: z.literal("http").describe("a call with the input as its body"),
    ...HTTP.shape,
    pass_env: passEnv.optional(),
  }),
} satisfies Record<AbilityKind, z.ZodObject>;

/** The schema of `.system/abilities/*.yaml`, for editors and for the reference: one ability per file. */
export const abilitySchema = z.strictObject({
  id: z.string().regex(ABILITY_ID).describe("unique, in kebab- or snake-case; not the name of a tool"),
  summary: z.string().optional().describe("what it does, for people and for the AI"),
  enabled: z.boolean().optional().describe("false: declared but switched off; default true"),
  input: z
    .looseObject({ type: z.literal("object").describe("an input is an object") })
    .optional()
    .describe("JSON Schema of its input; default: any object"),
  operation_keys: z
    .array(z.string().regex(OPERATION_KEY))
    .optional()
    .describe("other names for callers and for ability_scope of hooks: db.write.user_row"),
  environments: z.array(z.string().min(1)).min(1).optional().describe("the environments it may run in; default: all"),
  implementation: z
    .union(ABILITY_KINDS.map((kind) => IMPLEMENTATIONS[kind]))
    .describe("what runs: a program, a tool of an MCP server, or an HTTP call"),
  timeout: durationSchema.optional().describe('the time limit of a run: "250ms", "5s", "2m"; default 5m, at most 24h'),
  writes: z.array(z.string().min(1)).optional().describe("globs for the paths it may change, from the project root"),
});

export const ABILITY_KEYS: readonly string[] = Object.keys(abilitySchema.shape);

export function implementationKeys(kind: AbilityKind): readonly string[] {
  return Object.keys(IMPLEMENTATIONS[kind].shape);
}

/** Why an ability may not have this name: a guard on the name would match the tool too. */
export function takenByTool(name: string): string | undefined {
  if (name.startsWith("mcp_")) return 'begins with "mcp_", as the tools of MCP servers do';
  const tool = KNOWN_TOOLS.find((names) => names.includes(name));
  if (!tool) return undefined;
  return tool[0] === name ? "is the name of a tool" : `is another name of the tool ${tool[0]}`;
}
