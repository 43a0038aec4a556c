import type { HookToolConfig, LLMRequest, LLMResponse } from "../events/modelSchemas.ts";
import type { GenerateContentParameters, GenerateContentResponse, ToolConfig } from "./sdkTypes.ts";
import { fromHookLLMRequest, toHookLLMRequest } from "./translator/llmRequests.ts";
import { fromHookLLMResponse, toHookLLMResponse } from "./translator/llmResponses.ts";
import { fromHookToolConfig, toHookToolConfig } from "./translator/toolConfig.ts";

/**
 * Translates between an SDK's types and the stable ones that hooks see. Translating back starts from the agent's own object (`base`) and
 * keeps everything that hooks cannot see or did not change; arguments are never modified.
 */
export interface HookTranslator<
  Request = GenerateContentParameters,
  Response = GenerateContentResponse,
  ToolChoice = ToolConfig,
> {
  toHookLLMRequest(request: Request): LLMRequest;
  /** Without a base: a request that the hook made from scratch. */
  fromHookLLMRequest(changed: Partial<LLMRequest>, base?: Request): Request;
  toHookLLMResponse(response: Response): LLMResponse;
  /** Without a base: a response that no model gave. */
  fromHookLLMResponse(changed: Partial<LLMResponse>, base?: Response): Response;
  toHookToolConfig(sdk: ToolChoice | undefined): HookToolConfig | undefined;
  fromHookToolConfig(hook: HookToolConfig | undefined, base?: ToolChoice): ToolChoice | undefined;
}

/** For `@google/genai`. */
export class HookTranslatorGenAIv1 implements HookTranslator {
  readonly toHookLLMRequest = toHookLLMRequest;
  readonly fromHookLLMRequest = fromHookLLMRequest;
  readonly toHookLLMResponse = toHookLLMResponse;
  readonly fromHookLLMResponse = fromHookLLMResponse;
  readonly toHookToolConfig = toHookToolConfig;
  readonly fromHookToolConfig = fromHookToolConfig;
}

export const defaultHookTranslator: HookTranslator = new HookTranslatorGenAIv1();
