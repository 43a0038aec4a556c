import { plainFields } from "../../events/plainJson.ts";
import { namesOf } from "../../events/toolNames.ts";
import type { Fields } from "../run/rewrites.ts";
import { type Fired, fireHooks } from "./fireHooks.ts";
import type { Hooks } from "./hooksOf.ts";
import type { ToolRun } from "./runTool.ts";
import { lazySummary } from "./summary.ts";
import type { ToolCall } from "./toolPermission.ts";

/** A tool is also an ability: one guard covers both. If a path in the input leads elsewhere, the guard is asked about its target too. */
export async function guardAbility(
  hooks: Hooks,
  call: ToolCall,
  input: Fields,
): Promise<Fired<"PreAbilityCall"> | undefined> {
  if (call.options.ability === false) return undefined;
  let strictest = await askGuards(hooks, call, input);
  if (strictest.results.length === 0) return strictest;
  const paths = hooks.getRealPaths(call.toolName, input);
  for (const other of paths?.others ?? []) {
    if (severity(strictest) === BLOCKED) break;
    const again = await askGuards(hooks, call, other, { second_pass: true });
    if (severity(again) > severity(strictest)) strictest = again;
  }
  return paths ? { ...strictest, realPaths: paths.files } : strictest;
}

const BLOCKED = 2;

function severity({ finalOutput }: Fired<"PreAbilityCall">): number {
  return finalOutput?.isBlockingDecision() ? BLOCKED : finalOutput?.isAskDecision() ? 1 : 0;
}

function askGuards(
  hooks: Hooks,
  call: ToolCall,
  input: Fields,
  more: { readonly second_pass?: boolean } = {},
): Promise<Fired<"PreAbilityCall">> {
  const summary = lazySummary(input);
  return fireHooks(hooks, "PreAbilityCall", (handler) => {
    const session_id = call.config.getSessionId();
    const context = () => ({
      ability_id: abilityId(hooks, call),
      // Computed only if a hook will see it; planning needs only the id.
      get args_summary() {
        const plain = plainFields(input);
        if (plain.kind === "refused") throw new Error(`the arguments are not JSON: ${plain.why}`);
        return summary();
      },
      caller: { source: "ai_session" as const, session_id },
      ...more,
    });
    return handler.firePreAbilityCallEvent(context, withAliases(hooks, call));
  });
}

export async function reportAbility(
  hooks: Hooks,
  call: ToolCall,
  { input, result, durationMs }: ToolRun,
): Promise<void> {
  if (call.options.ability === false) return;
  const { error } = result;
  const [asked, answered] = [lazySummary(input), lazySummary(result.llmContent)];
  await fireHooks(hooks, "PostAbilityCall", (handler) => {
    const context = () => ({
      ability_id: abilityId(hooks, call),
      status: error ? ("failure" as const) : ("success" as const),
      duration_ms: Math.round(durationMs),
      get input_summary() {
        return asked();
      },
      get output_summary() {
        return answered();
      },
      ...(error ? { error_message: error.message } : {}),
    });
    return handler.firePostAbilityCallEvent(context, withAliases(hooks, call));
  });
}

/** An MCP tool is also known by the abilities that use it: their guards are asked about the tool itself. */
function withAliases(hooks: Hooks, call: ToolCall): ToolCall & { readonly aliases?: readonly string[] } {
  if (!call.mcpContext) return call;
  const aliases = hooks.getGuardedNames(call.mcpContext);
  return aliases.length === 0 ? call : { ...call, aliases };
}

function abilityId(hooks: Hooks, { toolName }: ToolCall): string {
  return namesOf(hooks.getToolNames(), toolName)[0] ?? toolName;
}
