import { type LLMRequest, llmRequest } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import { systemNote } from "../answer/hookText.ts";
import type { Config } from "../config.ts";
import { defaultHookTranslator as translator } from "../hookTranslator.ts";
import type { Rewrite } from "../record/recorder.ts";
import type { GenerateContentParameters, GenerateContentResponse } from "../sdkTypes.ts";
import { listContents } from "../translator/hookMessages.ts";
import { type Fired, fireHooks, notApplied, type TriggerOptions } from "./fireHooks.ts";
import { hooksOf } from "./hooksOf.ts";
import { type HookVerdict, verdictOf } from "./verdict.ts";

export interface BeforeModelHookResult extends HookVerdict {
  /** The response to deliver instead of calling the model. If blocked, it ends the turn, and its calls are not run. */
  readonly syntheticResponse?: GenerateContentResponse;
  /** Set only if hooks changed it. */
  readonly modifiedRequest?: GenerateContentParameters;
}

export interface AfterModelHookResult extends Partial<HookVerdict> {
  /** The response to continue with: the model's, a changed one, or one that says that it was withheld. */
  readonly response: GenerateContentResponse;
}

export const WITHHELD_RESPONSE_TEXT = "[Response withheld by a hook]";

/** Blocked or stopped: the model is not called and the turn ends. A request without hooks is not even read. */
export async function fireBeforeModelHook(
  config: Config,
  request: GenerateContentParameters,
  options: TriggerOptions = {},
): Promise<BeforeModelHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return { blocked: false };
  let shown: LLMRequest | undefined;
  const fired = await fireHooks(hooks, "BeforeModel", (handler) =>
    handler.fireBeforeModelEvent(() => {
      shown = translator.toHookLLMRequest(request);
      return { llm_request: shown };
    }, options),
  );
  try {
    return beforeModelResult(fired, request, shown);
  } catch (error) {
    return { blocked: true, reason: notApplied(error) };
  }
}

/**
 * Blocked: the response is withheld and the turn ends. Stopped: the response is kept, the agent runs none of its calls,
 * and the turn ends.
 */
export async function fireAfterModelHook(
  config: Config,
  request: GenerateContentParameters,
  response: GenerateContentResponse,
  options: TriggerOptions = {},
): Promise<AfterModelHookResult> {
  const hooks = hooksOf(config);
  if (!hooks) return { response };
  const fired = await fireHooks(hooks, "AfterModel", (handler) => {
    const input = () => ({
      llm_request: translator.toHookLLMRequest(request),
      llm_response: translator.toHookLLMResponse(response),
    });
    return handler.fireAfterModelEvent(input, options);
  });
  try {
    return afterModelResult(fired, response);
  } catch (error) {
    return { blocked: true, reason: notApplied(error), response: withheldResponse() };
  }
}

function beforeModelResult(
  fired: Fired<"BeforeModel">,
  request: GenerateContentParameters,
  shown: LLMRequest | undefined,
): BeforeModelHookResult {
  const { finalOutput: output, rewrites } = fired;
  const verdict = verdictOf(fired);
  // Next to an objection, it comes from the same hook: deliver it, and end the turn.
  const synthetic = output?.getSyntheticResponse();
  const result = {
    ...verdict,
    blocked: verdict.blocked || verdict.stopped === true,
    ...(synthetic ? { syntheticResponse: synthetic } : {}),
  };
  const changed = output?.hookSpecificOutput?.llm_request;
  if (result.blocked || !shown || !output || changed === undefined) return result;
  const isReadable = isRecord(changed) && llmRequest.safeParse({ ...shown, ...changed }).success;
  if (!isReadable) return { ...result, blocked: true, ...unreadable("request", rewrites) };
  return { ...result, modifiedRequest: output.applyLLMRequestModifications(request) };
}

function afterModelResult(fired: Fired<"AfterModel">, response: GenerateContentResponse): AfterModelHookResult {
  const { finalOutput: output, rewrites } = fired;
  const { blocked, ...verdict } = verdictOf(fired);
  const changed = output?.getModifiedResponse(response);
  if (blocked) return { ...verdict, blocked, response: withheldResponse() };
  if (rewrites.length === 0 && !changed) return { ...verdict, response };
  if (changed) return { ...verdict, response: changed };
  return { ...verdict, blocked: true, ...unreadable("response", rewrites), response: withheldResponse() };
}

/** Whether to hold the response until AfterModel has run: a hook wants it, or the hooks are not known yet. */
export function holdsResponse(config: Config): boolean {
  const hooks = hooksOf(config);
  if (!hooks) return false;
  if (!hooks.getStartedHandler()) return true;
  // The plan, not the registry: it also has broken and changed guards, which object because they cannot run.
  const plan = hooks.getPlanner().createExecutionPlan("AfterModel");
  return plan?.links.some(({ entry }) => entry.config.hold) ?? false;
}

/** Adds a hook's note at the end of a copy of the request. */
export function addSystemNote(request: GenerateContentParameters, text: string): GenerateContentParameters {
  const note = { role: "user", parts: [{ text: systemNote(text) }] };
  return { ...request, contents: [...listContents(request.contents), note] };
}

function withheldResponse(): GenerateContentResponse {
  return translator.fromHookLLMResponse({
    candidates: [{ content: { role: "model", parts: [WITHHELD_RESPONSE_TEXT] }, finishReason: "STOP", index: 0 }],
  });
}

/** Continuing without a rewrite could let through what it was meant to remove. */
function unreadable(what: string, rewrites: readonly Rewrite[]): Pick<HookVerdict, "reason" | "objectors"> {
  const objectors = [...new Set(rewrites.map(({ hook }) => hook))];
  const names = objectors.map((name) => `"${name}"`).join(", ");
  return { reason: `The ${what} as changed by ${names} cannot be read`, objectors };
}
