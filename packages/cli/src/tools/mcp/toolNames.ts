import { HooklineError, KNOWN_TOOLS, type ServerDeclaration } from "@hookline/engine";
import type { Tool } from "../tool.ts";

const LONGEST = 63;
/** What is kept of either end of a name that is too long: the beginning says whose it is, the end what it does. */
const KEPT = 31;

/** A tool of a server, with the name it has there. */
export interface ServerTool {
  readonly tool: Tool;
  readonly ownName: string;
  readonly server: ServerDeclaration;
}

/** The name under which hooks and models know a server's tool: only letters, digits, `_` and `-`, and not too many. */
export function toolName(server: string, tool: string): string {
  const name = `mcp_${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return name.length <= LONGEST ? name : `${name.slice(0, KEPT)}_${name.slice(-KEPT)}`;
}

/** Two tools of one name would be one to every hook, so that is an error, whoever is to blame. */
export function assertDistinct(found: readonly ServerTool[]): void {
  const builtIn = new Set(KNOWN_TOOLS.flat());
  const seen = new Map<string, ServerTool>();
  for (const one of found) {
    const { name } = one.tool;
    const other = seen.get(name);
    if (builtIn.has(name)) throw collision(one, `the tool "${name}" of this program`);
    if (other) throw collision(one, `"${other.ownName}" of the server "${other.server.name}"`);
    seen.set(name, one);
  }
}

function collision({ ownName, server, tool }: ServerTool, other: string): HooklineError {
  const what = `The tool ${JSON.stringify(ownName)} of the server "${server.name}" would be called ${tool.name}, like ${other}.`;
  const next = 'Give one of the servers another name, or leave one of the tools out with "excludeTools".';
  return new HooklineError({ code: "MCP_SERVER_INVALID", where: server.place, what, next });
}
