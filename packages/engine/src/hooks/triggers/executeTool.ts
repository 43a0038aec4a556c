import { randomUUID } from "node:crypto";
import type { Config } from "../config.ts";
import { applyAfterTool, toToolResponse } from "./afterTool.ts";
import { hooksOf } from "./hooksOf.ts";
import { type ExecuteTool, runTool } from "./runTool.ts";
import { fireAfterTool, type ToolInput } from "./tool.ts";
import { reportAbility } from "./toolAbility.ts";
import { type ExecuteToolOptions, messagesOf, seekPermission, type ToolCall } from "./toolPermission.ts";
import { type ToolResult, withMessages, withSignals } from "./toolResult.ts";

/**
 * Runs a tool call with all its events: BeforeTool, validation, PreAbilityCall, one approval for all that ask, the tool,
 * PostAbilityCall, AfterTool. Never rejects: errors are in the result.
 */
export async function executeToolWithHooks(
  config: Config,
  toolName: string,
  toolInput: ToolInput,
  executeFn: ExecuteTool,
  options: ExecuteToolOptions = {},
): Promise<ToolResult> {
  const call: ToolCall = {
    config,
    hooks: hooksOf(config),
    toolName,
    toolInput: toolInput ?? {},
    toolCallId: options.toolCallId ?? randomUUID(),
    ...(options.mcpContext ? { mcpContext: options.mcpContext } : {}),
    ...(options.originalRequestName ? { originalRequestName: options.originalRequestName } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    options,
  };
  const permission = await seekPermission(call);
  if (permission.kind === "refused") return permission.result;
  const run = await runTool(executeFn, permission, call.signal);
  const { hooks } = call;
  if (!hooks) return run.result;

  await reportAbility(hooks, call, run);
  const executed = { toolName, toolInput: run.input, toolResponse: toToolResponse(run.result) };
  const fired = await fireAfterTool(hooks, executed, call);
  const result = withSignals(applyAfterTool(run.result, fired), permission.signals);
  return withMessages(result, [...permission.messages, ...messagesOf(fired.finalOutput)]);
}
