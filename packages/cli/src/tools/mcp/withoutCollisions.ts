import { KNOWN_TOOLS } from "@hookline/engine/program";
import type { ServerDeclaration } from "../../declarations/servers/serverDeclaration.ts";
import { shortened } from "../../terminal/visible.ts";
import type { Tool } from "../tool.ts";

const LONGEST_SHOWN = 80;
const MOST_SHOWN = 4;

/** A tool of a server, with its name there. */
export interface ServerTool {
  readonly tool: Tool;
  readonly ownName: string;
  readonly server: ServerDeclaration;
}

/**
 * Hooks could not tell two tools with the same name apart, so both are left out: keeping the first would let one server impersonate
 * another. The session continues without them.
 */
export function withoutCollisions(
  found: readonly ServerTool[],
  onNotice: (text: string) => void,
): readonly ServerTool[] {
  const builtIn = new Set(KNOWN_TOOLS.flat());
  const byName = new Map<string, ServerTool[]>();
  for (const one of found) byName.set(one.tool.name, [...(byName.get(one.tool.name) ?? []), one]);
  const kept: ServerTool[] = [];
  for (const [name, same] of byName) {
    const [first] = same;
    if (builtIn.has(name)) onNotice(leftOut(name, same, "which is a tool of this program"));
    else if (same.length > 1) onNotice(leftOut(name, same, "so that no hook could tell them apart"));
    else if (first) kept.push(first);
  }
  return kept;
}

function leftOut(name: string, same: readonly ServerTool[], why: string): string {
  const shown = same.slice(0, MOST_SHOWN).map(({ ownName, server }) => `${quoted(ownName)} of ${quoted(server.name)}`);
  const more = same.length > MOST_SHOWN ? [`${same.length - MOST_SHOWN} more`] : [];
  const tools = [...shown, ...more].join(", ");
  const next = 'Give one of the servers another name, or leave one of the tools out with "excludeTools".';
  return `MCP tools are left out: ${tools} would be called ${shortened(name, LONGEST_SHOWN)}, ${why}. ${next}`;
}

function quoted(text: string): string {
  return shortened(JSON.stringify(text), LONGEST_SHOWN);
}
