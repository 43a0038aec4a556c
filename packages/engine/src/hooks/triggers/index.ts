export {
  type AbilityHookOptions,
  type AbilityHookResult,
  firePostAbilityCallHook,
  firePreAbilityCallHook,
  firePreAbilityCreateHook,
  firePromptSubmitHook,
  fireSessionStopHook,
  type InfraHookResult,
} from "./ability.ts";
export {
  type AfterAgentHookResult,
  type AgentTurn,
  type BeforeAgentHookResult,
  type CompressTrigger,
  fireAfterAgentHook,
  fireBeforeAgentHook,
  fireNotificationHook,
  firePreCompressHook,
  type HookNotification,
  MAX_AFTER_AGENT_RETRIES,
} from "./agent.ts";
export type { ApprovalAnswer, ApprovalRequest, Approve, ToolConfirmation } from "./askPerson.ts";
export { executeToolWithHooks } from "./executeTool.ts";
export type { TriggerOptions } from "./fireHooks.ts";
export {
  type AfterModelHookResult,
  addSystemNote,
  type BeforeModelHookResult,
  fireAfterModelHook,
  fireBeforeModelHook,
  holdsResponse,
  WITHHELD_RESPONSE_TEXT,
} from "./model.ts";
export type { ExecuteTool, ToolPaths } from "./runTool.ts";
export {
  fireSessionEndHook,
  fireSessionStartHook,
  type NoteHookResult,
  type SessionEndReason,
  type SessionStartHookResult,
  type SessionStartSource,
} from "./session.ts";
export {
  fireAfterToolHook,
  fireBeforeToolHook,
  type ToolHookOptions,
  type ToolInput,
  type ToolResponse,
} from "./tool.ts";
export type { ExecuteToolOptions } from "./toolPermission.ts";
export type { ToolContent, ToolError, ToolPart, ToolResult, ToolStop } from "./toolResult.ts";
export { type BeforeToolSelectionHookResult, fireBeforeToolSelectionHook, isToolAllowed } from "./toolSelection.ts";
export type { HookVerdict } from "./verdict.ts";
