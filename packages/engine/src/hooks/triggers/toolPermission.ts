import type { HookSignal } from "../../events/abilitySchemas.ts";
import { wellFormed } from "../../events/plainJson.ts";
import { isRecord } from "../answer/answer.ts";
import type { BeforeToolHookOutput, DefaultHookOutput } from "../answer/hookOutput.ts";
import { neutralise } from "../answer/hookText.ts";
import type { Config } from "../config.ts";
import { orAborted } from "../run/orAborted.ts";
import type { Fields } from "../run/rewrites.ts";
import type { Approve, ToolConfirmation } from "./askPerson.ts";
import { errorText } from "./errorText.ts";
import type { Fired } from "./fireHooks.ts";
import type { Hooks } from "./hooksOf.ts";
import type { ToolPaths } from "./runTool.ts";
import { lookUpPlaces } from "./selfProtection.ts";
import { fireBeforeTool, type ToolHookOptions } from "./tool.ts";
import { guardAbility } from "./toolAbility.ts";
import { seekApproval } from "./toolApproval.ts";
import {
  blockedResult,
  byHooks,
  cancelledResult,
  failedResult,
  type ToolResult,
  warningsIn,
  withMessages,
  withSignals,
} from "./toolResult.ts";
import { objectorsOf, stoppersOf } from "./verdict.ts";

export interface ExecuteToolOptions extends ToolHookOptions {
  /** Returns what is wrong with the arguments, if anything. Gets them in final form, with the files that hooks were asked about. */
  readonly validate?: (input: Fields, paths: ToolPaths) => string | undefined | Promise<string | undefined>;
  /** Returns what the tool itself wants confirmed, if anything; if hooks ask, the details to show. */
  readonly confirm?: (
    input: Fields,
    asked: { readonly byHooks: boolean },
  ) => ToolConfirmation | undefined | Promise<ToolConfirmation | undefined>;
  /** Asks a person, once per call. Without it, calls that need approval are denied. */
  readonly approve?: Approve;
  /** False for a tool that is not an ability: skips PreAbilityCall and PostAbilityCall. */
  readonly ability?: boolean;
}

/** A tool call in progress. */
export interface ToolCall extends ToolHookOptions {
  readonly config: Config;
  /** Undefined if hooks are off. */
  readonly hooks: Hooks | undefined;
  readonly toolName: string;
  readonly toolInput: Fields;
  readonly toolCallId: string;
  readonly options: ExecuteToolOptions;
}

export type Permission =
  | {
      readonly kind: "granted";
      readonly input: Fields;
      readonly paths: ToolPaths;
      readonly messages: readonly string[];
      /** Signals of guards that allowed the call. */
      readonly signals: readonly HookSignal[];
    }
  | { readonly kind: "refused"; readonly result: ToolResult };

/** Whether a call may run, and with which arguments. A call that was cancelled in the meantime may not, whatever the decision. */
export async function seekPermission(call: ToolCall): Promise<Permission> {
  const permission = call.signal?.aborted ? undefined : await decide(call);
  return permission && !call.signal?.aborted ? permission : refuse(cancelledResult("before the tool ran"));
}

async function decide(call: ToolCall): Promise<Permission> {
  const { hooks, toolName, toolInput } = call;
  // Fire it even for arguments that are refused: the record then shows that no guard saw this call.
  const firing = hooks && fireBeforeTool(hooks, toolName, toolInput, call);
  const places = hooks && isRecord(toolInput) ? lookUpPlaces(hooks, { ...call, input: toolInput }) : undefined;
  const before = await firing;
  if (!isRecord(toolInput)) return refuse(invalidArguments(toolName, "they must be an object"));
  const output = before?.finalOutput;
  const messages = messagesOf(output);
  if (before && (output?.isBlockingDecision() || output?.shouldStopExecution())) {
    return refuse(objection(output, before), messages);
  }

  const input = output?.getModifiedToolInput() ?? toolInput;
  const fault = await findFault(call, input, before);
  if (fault) return refuse(fault, messages);

  const guarded = hooks && (await guardAbility(hooks, call, input));
  const guard = guarded?.finalOutput;
  messages.push(...messagesOf(guard));
  if (guarded && guard?.isBlockingDecision()) {
    const blocked = blockedResult(guard.getEffectiveReason(), objectorsOf(guarded));
    return refuse(withSignals(blocked, guard.getSignals()), messages);
  }

  if (hasMoved(before?.realPaths, guarded?.realPaths)) {
    return refuse(blockedResult("a path in the arguments changed its target while hooks ran"), messages);
  }

  // The ability's guards read well-formed text; the tool must run with the same.
  const final = guarded && guarded.results.length > 0 ? wellFormed(input) : input;
  const denial = await seekApproval(call, { input: final, before, guarded, messages, places });
  const signals = guard?.getSignals() ?? [];
  if (denial) return refuse(guard?.isAskDecision() ? withSignals(denial, signals) : denial, messages);
  const paths = before?.realPaths ?? guarded?.realPaths;
  return { kind: "granted", input: final, paths, messages, signals: warningsIn(signals) };
}

function hasMoved(earlier: ToolPaths, later: ToolPaths): boolean {
  return Object.entries(later ?? {}).some(([argument, file]) => earlier && earlier[argument] !== file);
}

function refuse(result: ToolResult, messages: readonly string[] = []): Permission {
  return { kind: "refused", result: withMessages(result, messages) };
}

/** For a block, the model is told the blockers' reasons; a stop ends the turn, alone or in addition. */
function objection(output: BeforeToolHookOutput, before: Fired<"BeforeTool">): ToolResult {
  const hooks = objectorsOf(before);
  const reason = output.getEffectiveReason();
  const result = output.isBlockingDecision()
    ? blockedResult(output.reason ?? reason, hooks)
    : {
        ...failedResult({ message: `Tool call stopped by hook: ${neutralise(reason)}`, type: "stopped_by_hook" }),
        ...byHooks(hooks),
      };
  if (!output.shouldStopExecution()) return result;
  return { ...result, stop: { reason, event: "BeforeTool", hooks: stoppersOf(before) } };
}

/** The model's mistake is reported to the model; a hook's mistake blocks the call and names the hook. */
async function findFault(
  call: ToolCall,
  input: Fields,
  before: Fired<"BeforeTool"> | undefined,
): Promise<ToolResult | undefined> {
  const { rewrites = [], realPaths } = before ?? {};
  const fault = await validate(call, input, realPaths);
  if (fault === undefined) return undefined;
  const wasFine = rewrites.length > 0 && (await validate(call, call.toolInput, undefined)) === undefined;
  if (!wasFine) return invalidArguments(call.toolName, fault);
  const rewriters = [...new Set(rewrites.map(({ hook }) => hook))];
  const names = rewriters.map((name) => `"${name}"`).join(", ");
  return blockedResult(`the arguments as changed by ${names} are invalid: ${fault}`, rewriters);
}

async function validate({ options, signal }: ToolCall, input: Fields, paths: ToolPaths): Promise<string | undefined> {
  try {
    return (await orAborted(options.validate?.(input, paths), signal)) || undefined;
  } catch (error) {
    return errorText(error);
  }
}

function invalidArguments(toolName: string, fault: string): ToolResult {
  return failedResult({ message: `Invalid arguments for ${toolName}: ${fault}`, type: "invalid_tool_params" });
}

export function messagesOf(output: DefaultHookOutput | undefined): string[] {
  return output?.systemMessage ? [output.systemMessage] : [];
}
