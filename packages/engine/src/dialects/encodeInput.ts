import { EVENTS, type HookEventName } from "../events/catalog.ts";
import { KNOWN_TOOLS, namesOf } from "../events/toolNames.ts";
import type { Dialect, MappedEvent } from "./dialect.ts";
import { encodeFields } from "./fieldRows.ts";
import { type Fields, isFields } from "./fields.ts";
import { encodeMcpName } from "./mcpTools.ts";

export interface HostInput {
  readonly event: string;
  readonly payload: Fields;
}

/** What the host would have sent a hook for an event of ours; undefined if it has no such event. */
export function encodeInput(dialect: Dialect, ours: HookEventName, fields: Fields): HostInput | undefined {
  const [event, mapped] =
    Object.entries(dialect.events).find(
      (entry): entry is [string, MappedEvent] => entry[1].ours === ours && (entry[1].isFor?.(fields) ?? true),
    ) ?? [];
  if (event === undefined || mapped === undefined) return undefined;
  const encoded = encodeFields([...dialect.base, ...mapped.rows], fields);
  const tool = EVENTS[ours].subject?.kind === "tool" ? encodeTool(dialect, fields) : {};
  return { event, payload: { ...encoded, ...tool, hook_event_name: event } };
}

function encodeTool(dialect: Dialect, { tool_name, tool_input, mcp_context }: Fields): Fields {
  if (typeof tool_name !== "string" || !isFields(tool_input)) return {};
  const mcpName = encodeMcpName(dialect, mcp_context);
  if (mcpName !== undefined) return { tool_name: mcpName };
  const [canonical = tool_name] = namesOf(KNOWN_TOOLS, tool_name);
  for (const tool of dialect.tools) {
    if (!tool.ours.includes(canonical)) continue;
    const input = tool.encode({ tool_name: canonical, tool_input });
    if (input) return { tool_name: tool.theirs, tool_input: input };
  }
  return {};
}
