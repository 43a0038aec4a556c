import type { HookToolConfig } from "../../events/modelSchemas.ts";
import { KNOWN_TOOLS, namesOf, type ToolNames } from "../../events/toolNames.ts";
import type { BeforeToolSelectionHookOutput } from "../answer/hookOutput.ts";
import type { Config } from "../config.ts";
import { defaultHookTranslator as translator } from "../hookTranslator.ts";
import type { GenerateContentParameters, ToolConfig, ToolListUnion } from "../sdkTypes.ts";
import { mergeTools, type RequestWithTools, toHookTools, toolsOf } from "../translator/toolList.ts";
import { type Fired, fireHooks, notApplied, type TriggerOptions } from "./fireHooks.ts";
import { hooksOf } from "./hooksOf.ts";
import { type HookVerdict, verdictOf } from "./verdict.ts";

/** Contains only the hooks' choices; the rest of the request is unchanged. */
export interface BeforeToolSelectionHookResult extends Partial<HookVerdict> {
  readonly toolConfig?: ToolConfig;
  readonly tools?: ToolListUnion;
  /** What the model may call; check its calls with `isToolAllowed`. Absent: anything. */
  readonly allowedFunctionNames?: readonly string[];
}

/** Blocked: no tools in this request. Stopped: the turn ends. */
export async function fireBeforeToolSelectionHook(
  config: Config,
  request: RequestWithTools,
  options: TriggerOptions = {},
): Promise<BeforeToolSelectionHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return {};
  try {
    if (!toolsOf(request)?.length) return {};
    const fired = await fireHooks(hooks, "BeforeToolSelection", (handler) =>
      handler.fireBeforeToolSelectionEvent(() => ({ llm_request: translator.toHookLLMRequest(request) }), options),
    );
    return fired.finalOutput ? selectionOf(fired, fired.finalOutput, request, hooks.getToolNames()) : {};
  } catch (error) {
    return { blocked: true, reason: notApplied(error), tools: [], allowedFunctionNames: [] };
  }
}

function selectionOf(
  fired: Fired<"BeforeToolSelection">,
  output: BeforeToolSelectionHookOutput,
  request: RequestWithTools,
  tools: ToolNames,
): BeforeToolSelectionHookResult {
  const { blocked, ...verdict } = verdictOf(fired);
  if (blocked) return { ...verdict, blocked, tools: [], ...noCalls(request) };
  const current = translator.toHookToolConfig(request.config?.toolConfig) ?? {};
  const chosen = output.getToolConfig();
  return chosen ? { ...verdict, ...select(request, { ...current, ...chosen }, tools) } : verdict;
}

/** Whether the model may call this tool, under any of its names. */
export function isToolAllowed(
  { allowedFunctionNames }: Pick<BeforeToolSelectionHookResult, "allowedFunctionNames">,
  name: string,
  tools: ToolNames = KNOWN_TOOLS,
): boolean {
  return allowedFunctionNames === undefined || isAmong(allowedFunctionNames, name, tools);
}

type Selection = Pick<BeforeToolSelectionHookResult, "toolConfig" | "tools" | "allowedFunctionNames">;

/** The API accepts names only with ANY, and reads an empty list as no restriction: we enforce what it would refuse or misread. */
function select(request: RequestWithTools, chosen: HookToolConfig, tools: ToolNames): Selection {
  const { mode = "AUTO", allowedFunctionNames: names } = chosen;
  if (mode === "NONE") return noCalls(request);
  if (names === undefined) return toolConfig(request, { mode });
  const declared = toHookTools(toolsOf(request));
  const allowed = declared.filter(({ name }) => isAmong(names, name, tools));
  const allowedFunctionNames = allowed.map(({ name }) => name);
  if (mode === "ANY") {
    if (allowed.length === 0) return noCalls(request);
    return { ...toolConfig(request, { mode, allowedFunctionNames }), allowedFunctionNames };
  }
  // The SDK runs callable tools itself, and does not expose their names.
  const known = toolsOf(request)?.filter((tool) => !("callTool" in tool));
  const kept = mergeTools(known, allowed) ?? [];
  return { ...toolConfig(request, { mode }), tools: kept, allowedFunctionNames };
}

function noCalls(request: GenerateContentParameters): Selection {
  return { ...toolConfig(request, { mode: "NONE" }), allowedFunctionNames: [] };
}

/** The request's own tool config, with this mode and these names, or none. */
function toolConfig({ config }: GenerateContentParameters, chosen: HookToolConfig): { toolConfig?: ToolConfig } {
  const { functionCallingConfig, ...others } = config?.toolConfig ?? {};
  const { allowedFunctionNames: _names, ...calling } = functionCallingConfig ?? {};
  const made = translator.fromHookToolConfig(chosen, { ...others, functionCallingConfig: calling });
  return made ? { toolConfig: made } : {};
}

function isAmong(names: readonly string[], name: string, tools: ToolNames): boolean {
  const bearers = namesOf(tools, name);
  return names.some((other) => bearers.includes(other));
}
