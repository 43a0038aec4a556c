import { didYouMean, mcpToolName } from "@hookline/engine/program";
import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { shortened, visible } from "../../terminal/visible.ts";
import { mcpTool } from "./mcpTool.ts";
import type { ServerConnection } from "./serverConnection.ts";
import type { ServerTool } from "./withoutCollisions.ts";

/** Limited, because schemas go to the model with every request. */
const LARGEST_SCHEMA_CHARS = 64 * 1024;
const LONGEST_SHOWN = 80;

/** The tools of a server that its settings allow. Reports names without a tool: one may be a misspelt exclusion. */
export function offeredTools(
  connection: ServerConnection,
  listed: readonly ListedTool[],
  onNotice: (text: string) => void,
): readonly ServerTool[] {
  const { server } = connection;
  const { name, includeTools, excludeTools } = server;
  const notice = (text: string) => onNotice(`MCP server "${visible(name)}": ${text}`);
  const names = listed.map((tool) => tool.name);
  for (const wanted of [...(includeTools ?? []), ...excludeTools].filter((one) => !names.includes(one))) {
    notice(
      `its settings name the tool "${visible(wanted)}", which it does not offer.${visible(didYouMean(wanted, names))}`,
    );
  }
  return listed.flatMap((tool) => {
    if (excludeTools.includes(tool.name) || includeTools?.includes(tool.name) === false) return [];
    if (JSON.stringify(tool.inputSchema).length > LARGEST_SCHEMA_CHARS) {
      notice(
        `its tool "${shortened(tool.name, LONGEST_SHOWN)}" is left out: the schema of its arguments is too large.`,
      );
      return [];
    }
    return [{ server, ownName: tool.name, tool: mcpTool(connection, tool, mcpToolName(name, tool.name)) }];
  });
}
