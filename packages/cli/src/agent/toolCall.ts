import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { FunctionCall } from "@google/genai";
import { executeToolWithHooks, type ToolResult } from "@hookline/engine";
import { didYouMean, KNOWN_TOOLS, namesOf, plainFields, presentable, type ToolPaths } from "@hookline/engine/program";
import { SeenFiles } from "../tools/seenFiles.ts";
import type { TaskNote, Tool, ToolArguments, ToolContext } from "../tools/tool.ts";
import { CallWorkspace } from "../tools/workspace.ts";
import type { AgentState } from "./agentState.ts";
import { confirmationOf } from "./approvalPolicy.ts";
import { statusOf } from "./turnResult.ts";
import { withApprovalHint } from "./withApprovalHint.ts";

/** Runs a tool call with all of its hooks and reports it to the observer. `original` is the model's tool if a hook requested this call. */
export async function callTool(
  state: AgentState,
  call: FunctionCall,
  signal: AbortSignal,
  original?: string,
): Promise<ToolResult> {
  const { name = "", args = {} } = call;
  const id = call.id ?? randomUUID();
  const startedAt = performance.now();
  const shown = presentable(args);
  state.observe({ type: "toolCall", id, name, args: shown });
  const tool = toolNamed(state.tools, name);
  const result = tool ? await execute(state, tool, { ...call, id, original }, signal) : unknownTool(state.tools, name);
  report(state, { id, name, args: shown }, result, performance.now() - startedAt);
  return result;
}

/** Refuses a call without running its hooks or the tool. */
export function refuseCall(state: AgentState, call: FunctionCall, message: string, type: string): ToolResult {
  const { id = randomUUID(), name = "" } = call;
  const args = presentable(call.args ?? {});
  const result = failed(message, type);
  state.observe({ type: "toolCall", id, name, args });
  report(state, { id, name, args }, result, 0);
  return result;
}

/** Finds a tool by any of its names: models of other families use the names they know. */
export function toolNamed(tools: readonly Tool[], name: string): Tool | undefined {
  const names = namesOf(KNOWN_TOOLS, name);
  return tools.find((tool) => names.includes(tool.name));
}

async function execute(
  state: AgentState,
  tool: Tool,
  { id, args, original }: FunctionCall & { readonly id: string; readonly original: string | undefined },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { config, approver, approvalMode, projectRoot, totals, observe } = state;
  const workspace = new CallWorkspace(state.toolContext.workspace.root);
  const context: ToolContext = {
    ...state.toolContext,
    workspace,
    seen: new SeenFiles(),
    signal,
    // Attributes abilities that a started program uses to this session.
    env: { ...state.toolContext.env, HOOKLINE_SESSION_ID: config.getSessionId() },
    onOutput: (text) => observe({ type: "toolOutput", id, text }),
    onTask: (note) => noteTask(state, note),
  };
  const run = async (input: ToolArguments, _signal: AbortSignal | undefined, paths: ToolPaths) => {
    expectPaths(workspace, input, paths);
    const files = { reads: tool.reads?.(input, context) ?? [], writes: tool.writes?.(input, context) ?? [] };
    if (tool.isAbility !== false) totals.abilitiesUsed.add(tool.name);
    const started = state.journal?.begin("tool", tool.name);
    try {
      const done = await tool.execute(input, context);
      started?.(done.error ? "error" : "success", { callId: id });
      if (!done.error) noteFiles(state, files);
      return done;
    } catch (error) {
      started?.(signal.aborted ? "cancelled" : "error", { callId: id });
      throw error;
    }
  };
  let modeMayAllow = true; // false if hooks or self-protection ask
  const result = await executeToolWithHooks(config, tool.name, named(tool, args), run, {
    signal,
    toolCallId: id,
    ability: tool.isAbility ?? true,
    ...(tool.mcpContext ? { mcpContext: tool.mcpContext } : {}),
    ...(original === undefined ? {} : { originalRequestName: original }),
    validate(input, paths) {
      expectPaths(workspace, input, paths);
      return unusable(input) ?? tool.validate(input, context);
    },
    async confirm(input, { byHooks }) {
      const confirmation = await confirmationOf(tool, input, context, {
        mode: approvalMode(),
        projectRoot,
        isGranted: (asked) => approver?.isGranted?.(asked) ?? false,
        byHooks,
      });
      modeMayAllow = !byHooks;
      return confirmation;
    },
    ...(approver ? { approve: (request, given) => approver.approve(request, given) } : {}),
  });
  return !approver && result.error?.type === "not_approved" ? withApprovalHint(result, { modeMayAllow }) : result;
}

/** Renames arguments to the names that hooks read. Passes a non-object on, which is refused later. */
function named(tool: Tool, args: FunctionCall["args"]): FunctionCall["args"] {
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  return isObject ? (tool.normalise?.(args) ?? args) : args;
}

/** Ensures that the tool opens the files that hooks have checked. */
function expectPaths(workspace: CallWorkspace, input: ToolArguments, paths: ToolPaths): void {
  for (const [argument, file] of Object.entries(paths ?? {})) {
    const path = input[argument];
    if (typeof path === "string") workspace.expect(path, file);
  }
}

/** Applies without hooks too: such arguments can be neither stored nor sent. */
function unusable(input: ToolArguments): string | undefined {
  const plain = plainFields(input);
  return plain.kind === "refused" ? plain.why : undefined;
}

interface Files {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

function noteFiles({ totals }: AgentState, { reads, writes }: Files): void {
  for (const file of reads) totals.readFiles.add(file);
  for (const file of writes) totals.changedFiles.add(file);
}

function noteTask({ totals, projectRoot }: AgentState, { task, changedFiles = [] }: TaskNote): void {
  totals.tasks.set(task.key, task);
  if (task.result) totals.abilitiesUsed.add(task.abilityId);
  for (const file of changedFiles) totals.changedFiles.add(join(projectRoot, file));
}

function unknownTool(tools: readonly Tool[], name: string): ToolResult {
  const names = tools.map((tool) => tool.name);
  return failed(
    `There is no tool "${name}".${didYouMean(name, names)} The tools are: ${names.join(", ")}.`,
    "unknown_tool",
  );
}

function failed(message: string, type: string): ToolResult {
  return { llmContent: message, returnDisplay: message, error: { message, type } };
}

interface Called {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

function report(
  { observe, totals }: AgentState,
  { id, name, args }: Called,
  result: ToolResult,
  durationMs: number,
): void {
  const { blockedBy = [], returnDisplay, suppressDisplay } = result;
  const status = statusOf(result);
  totals.toolCalls.push({ name, args, status, ...(blockedBy.length > 0 ? { blockedBy: blockedBy.join(", ") } : {}) });
  observe({
    type: "toolResult",
    id,
    name,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(blockedBy.length > 0 ? { blockedBy } : {}),
    ...(suppressDisplay
      ? {}
      : { display: typeof returnDisplay === "string" ? returnDisplay : JSON.stringify(returnDisplay) }),
  });
}
