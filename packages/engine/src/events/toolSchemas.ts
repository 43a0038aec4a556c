import { randomUUID } from "node:crypto";
import { z } from "zod";

/** The origin of an MCP tool. */
export const mcpContext = z.looseObject({
  server_name: z.string(),
  tool_name: z.string().describe("the tool's own name on its server"),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
});

export type McpContext = z.input<typeof mcpContext>;

const toolFields = {
  tool_name: z.string().min(1).describe("the tool, by the name that the hook's matcher matched"),
  tool_input: z.looseObject({}).default({}).describe("its arguments"),
  tool_call_id: z
    .string()
    .default(() => randomUUID())
    .describe("generated if the caller has none"),
  mcp_context: mcpContext.optional(),
  original_request_name: z
    .string()
    .optional()
    .describe("for a call that a hook requested (tailToolCallRequest): the tool that the model called"),
};

export const toolResponse = z.looseObject({
  llmContent: z.unknown().optional().describe("the text for the model"),
  returnDisplay: z.unknown().optional().describe("the text for the person"),
  metadata: z.looseObject({}).optional(),
  error: z.unknown().optional(),
});

export const toolCall = z.object(toolFields);
export const executedToolCall = z.object({ ...toolFields, tool_response: toolResponse });

export const tailToolCallRequest = z.looseObject({ name: z.string(), args: z.looseObject({}) });
