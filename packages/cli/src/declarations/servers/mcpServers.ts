import {
  type DeclarationOrigin,
  type Declared,
  doubt,
  type Located,
  type Problem,
  shown,
} from "@hookline/engine/program";
import { programFault } from "../../errors.ts";
import { named, type ProgramKind } from "../programKind.ts";
import { combineServers } from "./combineServers.ts";
import { declareServer } from "./declareServer.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";
import { serversSchema } from "./serverFields.ts";

/** `mcpServers` of a settings file: programs and addresses that offer tools. */
export const MCP_SERVERS: ProgramKind<ServerDeclaration> = {
  kind: "server",
  words: { one: "an MCP server", word: "MCP server", many: "MCP servers" },
  from: { settings: "mcpServers" },
  outside: "MCP servers declared here, outside the project root, are not started.",
  schema: () => serversSchema,
  read: readServers,
  // Loaded lazily: a start without servers does not need this code.
  combine: (declared, context) => combineServers(declared, context),
  jsonKey: "servers",
  heads: { name: "mcp_server", type: "type", about: "starts" },
  about: startsText,
  listJson: (server, { enabled, state, reason }) => {
    const { name, description, type, target, includeTools = null, excludeTools, source, place } = server;
    const { argv: _, headers: _headers, ...fields } = target?.fields ?? {};
    const said = description === undefined ? {} : { description };
    const tools = { includeTools, excludeTools };
    return { name, ...said, type, enabled, state, reason, ...fields, ...tools, layer: source, source: place };
  },
  trustFacts: ({ includeTools, excludeTools }) => [
    ...named("only tools", includeTools),
    ...named("not tools", excludeTools),
  ],
  trustJson: ({ includeTools = null, excludeTools }) => ({ includeTools, excludeTools }),
};

function readServers(node: Located, origin: DeclarationOrigin): Declared<ServerDeclaration> {
  if (node.kind !== "map") {
    const what = `"mcpServers" is an object with an entry per server, not ${shown(node)}.`;
    const next = 'Write "mcpServers": { "name": { "command": "…" } }.';
    return { declared: [], problems: [programFault({ code: "MCP_SERVER_INVALID", where: node.place, what, next })] };
  }
  const [first] = node.entries;
  if (first !== undefined && origin.source === "extensions") {
    const what = '"mcpServers" is not read from an extension.';
    const next = "Write the servers into ~/.hookline/settings.json.";
    return { declared: [], problems: [doubt({ where: first.keyPlace, what, next })] };
  }
  const problems: Problem[] = [];
  const declared = node.entries.map((entry) => declareServer(entry, origin, (problem) => problems.push(problem)));
  return { declared, problems };
}

function startsText({ target }: ServerDeclaration): string {
  const { url, command, args } = target?.fields ?? {};
  if (typeof url === "string") return url;
  return [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string").join(" ") || "-";
}
