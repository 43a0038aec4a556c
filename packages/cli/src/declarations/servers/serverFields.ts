import { descriptionSchema, durationSchema, envSchema, passEnvSchema } from "@hookline/engine/program";
import { z } from "zod";

export const SERVER_NAME = /^[A-Za-z0-9_-]+$/;

const text = z
  .string({ error: "it must be text" })
  .min(1, { error: "it must not be empty" })
  .regex(/^[^\0]*$/, { error: "it must not contain a NUL character" });
const argument = z
  .string({ error: "every argument is text" })
  .regex(/^[^\0]*$/, { error: "it contains a NUL character" });
const toolNames = z.array(z.string({ error: "every name of a tool must be text" }), {
  error: "it must be a list of names",
});

const offered = {
  includeTools: toolNames.optional().describe("the tools to offer; default: all"),
  excludeTools: toolNames.optional().describe("the tools not to offer"),
};
const url = text
  .refine((address) => /^https?:/i.test(address), { error: 'it must begin with "https:" or "http:"' })
  .describe("its address for streamable HTTP: https, or http on this machine");

/** The fields that decide what starts and which tools are offered: if one of them is invalid, the server does not start. */
export const STDIO_FIELDS = z.object({
  command: text.describe("the program to start, by name or path; not interpreted by a shell"),
  args: z.array(argument, { error: "it must be a list of texts" }).optional().describe("its arguments"),
  cwd: text.optional().describe("its working directory; default: the project root"),
  ...offered,
});
export const HTTP_FIELDS = z.object({
  url,
  headers: z
    .record(z.string(), z.string(), { error: "every header must be a name with text" })
    .optional()
    .describe(`further headers; \${NAME} stands for a variable that passEnv names`),
  ...offered,
});

/** Fields that are ignored if they are invalid. */
const SHARED_FIELDS = {
  description: descriptionSchema.optional(),
  timeout: durationSchema
    .optional()
    .describe('the time limit of its start and of each call: "20s"; default 30s for the start, 10m for a call'),
  passEnv: passEnvSchema.optional(),
};
const stdio = z.strictObject({ ...STDIO_FIELDS.shape, ...SHARED_FIELDS, env: envSchema.optional() });
const http = z.strictObject({ ...HTTP_FIELDS.shape, ...SHARED_FIELDS });
const { url: _, ...withoutUrl } = http.shape;
const olderHttp = z.strictObject({ httpUrl: url, ...withoutUrl });

/** `mcpServers`, for editors and for the reference. */
export const serversSchema = z
  .record(z.string().regex(SERVER_NAME), z.union([stdio, http, olderHttp]))
  .describe("MCP servers by name; their tools are called mcp_<server>_<tool>");

export const SERVER_KEYS: readonly string[] = [
  ...new Set([...Object.keys(stdio.shape), ...Object.keys(olderHttp.shape), "url"]),
];

/** Fields for one kind of server only. */
export const ONLY_FOR: Readonly<Record<string, "stdio" | "http">> = {
  args: "stdio",
  cwd: "stdio",
  env: "stdio",
  headers: "http",
};

const token = `Remove it; a token is sent with "headers": { "authorization": "Bearer \${NAME}" } and "passEnv": ["NAME"].`;
/** Fields that other programs support here, with advice. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  trust: "Remove it; hooks and approvals decide about every call.",
  type: 'Remove it; a server with "command" is started, one with "url" is called by streamable HTTP.',
  tcp: 'Use "url" with an address that begins with "https:" or "http:".',
  oauth: token,
  authProviderType: token,
  targetAudience: token,
  targetServiceAccount: token,
  autoApprove: "Remove it; hooks and approvals decide about every call.",
  alwaysAllow: "Remove it; hooks and approvals decide about every call.",
};

/** Fields that restrict a server. If one is misspelt or unsupported, the server stays off, because it would offer too much. */
export const RESTRICTING: readonly string[] = ["includeTools", "excludeTools", "disabled"];
