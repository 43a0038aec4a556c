import { mcpToolName } from "../events/toolNames.ts";
import type { Dialect } from "./dialect.ts";
import { type Fields, isFields, textOf } from "./fields.ts";

const BETWEEN = "__";

/** `mcp__github__create_issue` in our form: the name that hooks know, and where the tool comes from. */
export function decodeMcpName({ mcpPrefix }: Dialect, name: string): Fields | undefined {
  if (mcpPrefix === null || !name.startsWith(mcpPrefix)) return undefined;
  const [server = "", ...rest] = name.slice(mcpPrefix.length).split(BETWEEN);
  const tool = rest.join(BETWEEN);
  if (server === "" || tool === "") return undefined;
  return { tool_name: mcpToolName(server, tool), mcp_context: { server_name: server, tool_name: tool } };
}

/** The host's name for the tool of a server. */
export function encodeMcpName({ mcpPrefix }: Dialect, context: unknown): string | undefined {
  if (mcpPrefix === null || !isFields(context)) return undefined;
  const [server, tool] = [textOf(context.server_name), textOf(context.tool_name)];
  return server && tool && `${mcpPrefix}${server}${BETWEEN}${tool}`;
}
