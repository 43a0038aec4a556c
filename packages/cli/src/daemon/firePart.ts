import { BeforeToolHookOutput, type HookOutput } from "@hookline/engine/components";
import {
  type Dialect,
  type EventPart,
  encodeAnswer,
  type HostEvent,
  isFields,
  type McpContext,
  objectorsOf,
  protectedWrites,
  SELF_PROTECTION,
  withQuestion,
} from "@hookline/engine/program";
import type { Deadline } from "./deadline.ts";
import type { ServedProject } from "./servedProject.ts";

export interface PartContext {
  readonly dialect: Dialect;
  readonly call: HostEvent;
  /** Fields of our event that the host does not send. */
  readonly missing: Readonly<Record<string, unknown>>;
  readonly deadline: Deadline;
}

/** The merged answer of our hooks, and of self-protection, to one part of a call. */
export interface PartAnswer {
  readonly output?: HookOutput | undefined;
  /** The names of the guards that leave it to a person. */
  readonly asking: readonly string[];
  /** The arguments after every rewrite: a person who is asked decides about them. */
  readonly input: Readonly<Record<string, unknown>>;
}

const UNREADABLE = {
  decision: "block",
  reason: "hookline cannot tell which files this call writes, so no guard can check it.",
} as const;

export async function firePart(served: ServedProject, part: EventPart, context: PartContext): Promise<PartAnswer> {
  const { call, missing, deadline } = context;
  const { system, config } = served.project;
  const { tool_name, tool_input, mcp_context } = part.fields;
  const given = isFields(tool_input) ? tool_input : {};
  if (part.unreadable && call.ours === "BeforeTool") return { output: UNREADABLE, asking: [], input: given };
  const host = { ...call.host, seat: "command", ...(part.part === undefined ? {} : { part: part.part }) };
  const fields = { timestamp: new Date().toISOString(), ...missing, ...part.fields, host };
  const fired = await system.getEventHandler().fire(call.ours, fields, {
    signal: deadline.signal,
    until: deadline.hooksEndAt,
    notes: (output) => notHonoured(output, part, context),
    realPaths: true,
  });
  const { finalOutput } = fired;
  if (call.ours !== "BeforeTool" || typeof tool_name !== "string") {
    return { output: finalOutput, asking: [], input: given };
  }
  const output = finalOutput instanceof BeforeToolHookOutput ? finalOutput : undefined;
  const input = output?.getModifiedToolInput() ?? given;
  const own = protectedWrites(system, { config, toolName: tool_name, mcpContext: mcpContextOf(mcp_context), input });
  const asked = output?.isAskDecision() ? objectorsOf(fired) : [];
  return { output: withQuestion(output, own), asking: own.length > 0 ? [...asked, SELF_PROTECTION] : asked, input };
}

/** What the host cannot do, for the journal. Questions are not among it: where the host cannot put them, we do. */
function notHonoured(
  output: HookOutput | undefined,
  part: EventPart,
  { dialect, call }: PartContext,
): readonly string[] {
  if (output === undefined) return [];
  const { degraded, ignored } = encodeAnswer(dialect, { ...call, parts: [part] }, [output], { ask: "host" });
  const instead = degraded
    .filter(({ from }) => from !== "ask")
    .map(({ from, to, says }) => `${from} becomes ${to}: ${says}`);
  return [...instead, ...ignored].map((text) => `${dialect.title}: ${text}`);
}

function mcpContextOf(value: unknown): McpContext | undefined {
  if (!isFields(value)) return undefined;
  const { server_name, tool_name } = value;
  return typeof server_name === "string" && typeof tool_name === "string" ? { server_name, tool_name } : undefined;
}
