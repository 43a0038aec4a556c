import type { ProtectedPlaces } from "../../config/trust/protectedFiles.ts";
import { neutralise } from "../answer/hookText.ts";
import { isLink } from "../plan/hookPlanner.ts";
import { orAborted } from "../run/orAborted.ts";
import type { Fields } from "../run/rewrites.ts";
import type { HookNotification } from "./agent.ts";
import { type ApprovalRequest, type Approve, askPerson, type ToolConfirmation } from "./askPerson.ts";
import { errorText } from "./errorText.ts";
import type { Fired } from "./fireHooks.ts";
import { notificationDetails } from "./notificationDetails.ts";
import { protectedWrites, SELF_PROTECTION } from "./selfProtection.ts";
import type { ToolCall } from "./toolPermission.ts";
import { byHooks, failedResult, type ToolResult } from "./toolResult.ts";
import { objectorsOf } from "./verdict.ts";

/** The hooks' answers to a call, and what will run. */
interface Hearing {
  readonly input: Fields;
  readonly before: Fired<"BeforeTool"> | undefined;
  readonly guarded: Fired<"PreAbilityCall"> | undefined;
  /** The hooks' messages to the model; Notification hooks may add to them. */
  readonly messages: string[];
  readonly places: ProtectedPlaces | undefined;
}

/** One question for all that ask: hooks of both vocabularies, and the tool itself. Undefined if the call may run. */
export async function seekApproval(call: ToolCall, hearing: Hearing): Promise<ToolResult | undefined> {
  const { config, toolName, toolCallId, mcpContext, signal, options } = call;
  const { input, before, guarded, messages, places } = hearing;
  const asking = [before, guarded].flatMap((fired) => (fired?.finalOutput?.isAskDecision() ? [fired] : []));
  const ownReasons = protectedWrites(call.hooks, { config, toolName, mcpContext, input, places });
  const reasons = [...asking.flatMap(({ finalOutput }) => finalOutput?.getEffectiveReason() ?? []), ...ownReasons];
  const asked = asking.flatMap((fired) => objectorsOf(fired));
  const hooks = [...new Set(ownReasons.length > 0 ? [...asked, SELF_PROTECTION] : asked)];
  const own = await readConfirmation(call, input, reasons.length > 0);
  if ("fault" in own) return notApproved(own.fault, hooks);
  const isAsked = own.confirmation && (own.confirmation.isRequired || !maySkip(call, before));
  if (reasons.length === 0 && !isAsked) return undefined;
  const approval = { callId: toolCallId, subject: toolName, input, hooks };
  if (!options.approve) {
    const reason = reasons.join("\n") || "there is no person to ask";
    await call.hooks?.recordApproval({ ...approval, approved: false, reason, by: "nobody", durationMs: 0 });
    return notApproved(reason, hooks);
  }
  const request: ApprovalRequest = {
    toolName,
    toolInput: input,
    toolCallId,
    reasons,
    hooks,
    rewrites: before?.rewrites ?? [],
    ...(messages.length > 0 ? { systemMessage: messages.join("\n") } : {}),
    ...(mcpContext ? { mcpContext } : {}),
    ...own,
  };
  if (signal?.aborted) return undefined; // do not ask about a cancelled call
  const question = { request, notification: notificationOf(request), approve: denyingOnError(options.approve), signal };
  const { approved, reason, systemMessage } = await askPerson(config, question);
  if (systemMessage) messages.push(systemMessage);
  return approved ? undefined : notApproved(reason ?? (reasons.join("\n") || "No reason provided"), hooks);
}

/** A hook allowed it, none asked, and the person's settings accept that as approval. */
function maySkip({ hooks }: ToolCall, before: Fired<"BeforeTool"> | undefined): boolean {
  if (!before || !hooks?.getEngineOptions().allowSkipsConfirmation) return false;
  return before.results.some(({ hook, answer }) => isLink(hook) && answer?.allows);
}

async function readConfirmation(
  { options, signal }: ToolCall,
  input: Fields,
  byHooks: boolean,
): Promise<{ readonly confirmation?: ToolConfirmation } | { readonly fault: string }> {
  try {
    const confirmation = await orAborted(options.confirm?.(input, { byHooks }), signal);
    return confirmation ? { confirmation } : {};
  } catch (error) {
    return { fault: errorText(error) };
  }
}

/** An approver that throws has denied. */
function denyingOnError(approve: Approve): Approve {
  return async (request, signal) => {
    try {
      return await approve(request, signal);
    } catch (error) {
      return { approved: false, reason: errorText(error) };
    }
  };
}

/** The question as Notification hooks see it. */
export function notificationOf(request: ApprovalRequest): HookNotification {
  const { toolName, reasons, confirmation } = request;
  const message = reasons.join("\n") || confirmation?.title || `${toolName} needs approval`;
  return { notification_type: "ToolPermission", message, details: notificationDetails(request) };
}

function notApproved(reason: string, asking: readonly string[]): ToolResult {
  const message = `Tool call not approved: ${neutralise(reason)}`;
  return { ...failedResult({ message, type: "not_approved" }), ...byHooks(asking) };
}
