import { randomUUID } from "node:crypto";
import { z } from "zod";

/** Where an MCP tool comes from, when it is one. */
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
  tool_name: z.string().min(1).describe("the tool, under the name that the hook's matcher hit"),
  tool_input: z.looseObject({}).default({}).describe("its arguments"),
  tool_call_id: z
    .string()
    .default(() => randomUUID())
    .describe("generated when the caller has none"),
  mcp_context: mcpContext.optional(),
  original_request_name: z
    .string()
    .optional()
    .describe("of a call that a hook asked for (tailToolCallRequest): the tool that the model called"),
};

export const toolResponse = z.looseObject({
  llmContent: z.unknown().optional().describe("what the model is told"),
  returnDisplay: z.unknown().optional().describe("what the person is shown"),
  metadata: z.looseObject({}).optional(),
  error: z.unknown().optional(),
});

export const toolCall = z.object(toolFields);
export const executedToolCall = z.object({ ...toolFields, tool_response: toolResponse });

export const tailToolCallRequest = z.looseObject({ name: z.string(), args: z.looseObject({}) });
