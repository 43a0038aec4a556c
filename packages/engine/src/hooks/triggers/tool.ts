import type { McpContext } from "../../events/toolSchemas.ts";
import type { AfterToolHookOutput, BeforeToolHookOutput } from "../answer/hookOutput.ts";
import type { Config } from "../config.ts";
import type { FireOptions } from "../eventMethods.ts";
import type { Fields } from "../run/rewrites.ts";
import { type Fired, fireHooks, type TriggerOptions } from "./fireHooks.ts";
import { type Hooks, hooksOf } from "./hooksOf.ts";
import { protectedWrites, withQuestion } from "./selfProtection.ts";

export interface ToolHookOptions extends TriggerOptions {
  /** Generated if the agent has none. */
  readonly toolCallId?: string;
  /** Set for an MCP tool. */
  readonly mcpContext?: McpContext;
  /** For a call that a hook requested: the tool that the model called. */
  readonly originalRequestName?: string;
}

/** The arguments of a call; a model may omit them. */
export type ToolInput = Fields | null | undefined;

/** Undefined if neither a hook nor self-protection objects or adds anything. */
export async function fireBeforeToolHook(
  config: Config,
  toolName: string,
  toolInput: ToolInput,
  options: ToolHookOptions = {},
): Promise<BeforeToolHookOutput | undefined> {
  const hooks = hooksOf(config);
  if (!hooks) return undefined;
  const { finalOutput } = await fireBeforeTool(hooks, toolName, toolInput, options);
  const input = finalOutput?.getModifiedToolInput() ?? toolInput ?? {};
  return withQuestion(finalOutput, protectedWrites(hooks, { config, toolName, mcpContext: options.mcpContext, input }));
}

/** Undefined if no hook changes or adds anything. */
export async function fireAfterToolHook(
  config: Config,
  toolName: string,
  toolInput: ToolInput,
  toolResponse: ToolResponse | Fields,
  options: ToolHookOptions = {},
): Promise<AfterToolHookOutput | undefined> {
  const hooks = hooksOf(config);
  if (!hooks) return undefined;
  return (await fireAfterTool(hooks, { toolName, toolInput, toolResponse }, options)).finalOutput;
}

/** A result as hooks see it. */
export interface ToolResponse {
  readonly llmContent: unknown;
  readonly returnDisplay: unknown;
  readonly metadata?: Fields;
  readonly error?: unknown;
}

export function fireBeforeTool(
  hooks: Hooks,
  toolName: string,
  toolInput: ToolInput,
  options: ToolHookOptions,
): Promise<Fired<"BeforeTool">> {
  const input = () => toolFields(toolName, toolInput, options);
  return fireHooks(hooks, "BeforeTool", (handler) => handler.fireBeforeToolEvent(input, withPaths(options)), options);
}

export function fireAfterTool(
  hooks: Hooks,
  call: { readonly toolName: string; readonly toolInput: ToolInput; readonly toolResponse: ToolResponse | Fields },
  options: ToolHookOptions,
): Promise<Fired<"AfterTool">> {
  const { toolName, toolInput, toolResponse } = call;
  const input = () => ({ ...toolFields(toolName, toolInput, options), tool_response: { ...toolResponse } });
  return fireHooks(hooks, "AfterTool", (handler) => handler.fireAfterToolEvent(input, withPaths(options)), options);
}

function toolFields(toolName: string, toolInput: ToolInput, options: ToolHookOptions) {
  const { toolCallId, mcpContext, originalRequestName } = options;
  return {
    tool_name: toolName,
    tool_input: toolInput ?? {},
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
    ...(mcpContext === undefined ? {} : { mcp_context: mcpContext }),
    ...(originalRequestName === undefined ? {} : { original_request_name: originalRequestName }),
  };
}

/** Guards see the file that is read or written, however its path is spelled. */
function withPaths({ signal }: TriggerOptions): FireOptions {
  return signal ? { signal, realPaths: true } : { realPaths: true };
}
