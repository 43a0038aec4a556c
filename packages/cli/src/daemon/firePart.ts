import { BeforeToolHookOutput, type HookOutput } from "@hookline/engine/components";
import {
  type EventPart,
  type HookPlanner,
  type HostEvent,
  isFields,
  type McpContext,
  protectedWrites,
  withQuestion,
} from "@hookline/engine/program";
import type { ServedProject } from "./servedProject.ts";

export interface PartContext {
  readonly call: HostEvent;
  /** Fields of our event that the host does not send. */
  readonly missing: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** The merged answer of our hooks, and of self-protection, to one part of a call. */
export async function firePart(
  { project }: ServedProject,
  part: EventPart,
  { call, missing, signal }: PartContext,
): Promise<HookOutput | undefined> {
  const { system, config } = project;
  const host = { ...call.host, ...(part.part === undefined ? {} : { part: part.part }) };
  const fields = { timestamp: new Date().toISOString(), ...missing, ...part.fields, host };
  if (part.unreadable && hasWriteGuard(project.system.getPlanner())) {
    return { decision: "block", reason: "It cannot be told which files this call writes, so no guard can check it." };
  }
  const { finalOutput } = await system.getEventHandler().fire(call.ours, fields, { signal, realPaths: true });
  if (call.ours !== "BeforeTool") return finalOutput;
  const { tool_name, tool_input, mcp_context } = part.fields;
  if (typeof tool_name !== "string" || !isFields(tool_input)) return finalOutput;
  const output = finalOutput instanceof BeforeToolHookOutput ? finalOutput : undefined;
  const input = output?.getModifiedToolInput() ?? tool_input;
  const write = { config, toolName: tool_name, mcpContext: mcpContextOf(mcp_context), input };
  return withQuestion(output, protectedWrites(system, write));
}

function hasWriteGuard(planner: HookPlanner): boolean {
  return WRITING.some((subject) => (planner.createExecutionPlan("BeforeTool", { subject })?.links.length ?? 0) > 0);
}

const WRITING = ["write_file", "replace"];

function mcpContextOf(value: unknown): McpContext | undefined {
  if (!isFields(value)) return undefined;
  const { server_name, tool_name } = value;
  return typeof server_name === "string" && typeof tool_name === "string" ? { server_name, tool_name } : undefined;
}
