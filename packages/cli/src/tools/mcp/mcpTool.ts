import { neutralise } from "@hookline/engine/program";
import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { headOf } from "../../terminal/cutText.ts";
import type { Tool } from "../tool.ts";
import { argumentCheck } from "./argumentCheck.ts";
import type { ServerConnection } from "./serverConnection.ts";
import { toToolResult } from "./toolContent.ts";

/** Limited, because descriptions go to the model with every request. */
const LONGEST_DESCRIPTION = 4096;

/** Wraps a server's tool for the agent. */
export function mcpTool(connection: ServerConnection, listed: ListedTool, name: string): Tool {
  const server_name = connection.server.name;
  const tool_name = listed.name;
  const check = argumentCheck(listed.inputSchema);
  return {
    name,
    kind: "mcp",
    description: neutralise(headOf(listed.description ?? listed.title ?? "", LONGEST_DESCRIPTION)),
    parameters: describedSafely(listed.inputSchema),
    mcpContext: { server_name, tool_name, ...connection.context },
    validate: (input) => check(input),
    describe: (input) => ({
      type: "mcp",
      title: `Call ${tool_name} of the MCP server ${server_name}`,
      server_name,
      tool_name,
      arguments: input,
    }),
    execute: async (input, { signal }) => toToolResult(await connection.call(tool_name, input, signal)),
  };
}

/** Neutralises every string in the schema. A schema that is nested too deeply is replaced by an empty one. */
function describedSafely(schema: ListedTool["inputSchema"]): Tool["parameters"] {
  try {
    return JSON.parse(JSON.stringify(schema), (_, value) => (typeof value === "string" ? neutralise(value) : value));
  } catch {
    return { type: "object" };
  }
}
