import type { HookSignal } from "../../events/abilitySchemas.ts";
import { EVENTS, type HookEventName } from "../../events/catalog.ts";
import type { OutputName } from "../../events/eventSpec.ts";
import { type HookToolConfig, hookToolConfig, type LLMResponse, llmResponse } from "../../events/modelSchemas.ts";
import { tailToolCallRequest } from "../../events/toolSchemas.ts";
import { defaultHookTranslator as translator } from "../hookTranslator.ts";
import type { GenerateContentParameters, GenerateContentResponse, ToolConfig, ToolListUnion } from "../sdkTypes.ts";
import { isSdkShaped, readRequest } from "../translator/readRequest.ts";
import { readResponse } from "../translator/readResponse.ts";
import { isRecord } from "./answer.ts";
import { neutralise } from "./hookText.ts";

/** The merged answers, in the fields of the contract. */
export interface HookOutput {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  readonly decision?: "allow" | "approve" | "deny" | "block" | "ask";
  readonly reason?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
  readonly hook_signals?: readonly HookSignal[];
  readonly logs?: readonly string[];
}

/** The tools of a request, and how the model may choose among them. */
export interface ToolSelection {
  readonly toolConfig?: ToolConfig | undefined;
  readonly tools?: ToolListUnion | undefined;
}

/** The answer fields common to all events. */
export class DefaultHookOutput implements HookOutput {
  declare readonly continue?: boolean;
  declare readonly stopReason?: string;
  declare readonly suppressOutput?: boolean;
  declare readonly systemMessage?: string;
  declare readonly decision?: "allow" | "approve" | "deny" | "block" | "ask";
  declare readonly reason?: string;
  declare readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
  declare readonly hook_signals?: readonly HookSignal[];
  declare readonly logs?: readonly string[];

  constructor(data: HookOutput = {}) {
    // One by one: Object.assign on a fresh instance is several times slower, and this is the hot path.
    if (data.continue !== undefined) this.continue = data.continue;
    if (data.stopReason !== undefined) this.stopReason = data.stopReason;
    if (data.suppressOutput !== undefined) this.suppressOutput = data.suppressOutput;
    if (data.systemMessage !== undefined) this.systemMessage = data.systemMessage;
    if (data.decision !== undefined) this.decision = data.decision;
    if (data.reason !== undefined) this.reason = data.reason;
    if (data.hookSpecificOutput !== undefined) this.hookSpecificOutput = data.hookSpecificOutput;
    if (data.hook_signals !== undefined) this.hook_signals = data.hook_signals;
    if (data.logs !== undefined) this.logs = data.logs;
  }

  isBlockingDecision(): boolean {
    return this.decision === "block" || this.decision === "deny";
  }

  isAskDecision(): boolean {
    return this.decision === "ask";
  }

  shouldStopExecution(): boolean {
    return this.continue === false;
  }

  getEffectiveReason(): string {
    return this.stopReason || this.reason || "No reason provided";
  }

  getBlockingError(): { readonly blocked: boolean; readonly reason: string } {
    return this.isBlockingDecision()
      ? { blocked: true, reason: this.getEffectiveReason() }
      : { blocked: false, reason: "" };
  }

  /** Safe inside `<hook_context>`: the text cannot close the tag or forge a system line. */
  getAdditionalContext(): string | undefined {
    const context = this.specific("additionalContext");
    return typeof context === "string" ? neutralise(context) : undefined;
  }

  /** The request with the hooks' changes; unchanged if the event cannot change it. */
  applyLLMRequestModifications(request: GenerateContentParameters): GenerateContentParameters {
    return request;
  }

  /** The tool choice with the hooks' changes; unchanged if the event cannot change it. */
  applyToolConfigModifications(target: ToolSelection): ToolSelection {
    return target;
  }

  protected specific(key: string): unknown {
    return this.hookSpecificOutput?.[key];
  }
}

export class BeforeToolHookOutput extends DefaultHookOutput {
  /** All arguments, with the hooks' changes. */
  getModifiedToolInput(): Readonly<Record<string, unknown>> | undefined {
    const input = this.specific("tool_input");
    return isRecord(input) ? input : undefined;
  }
}

export class AfterToolHookOutput extends DefaultHookOutput {
  getModifiedToolResponse(): Readonly<Record<string, unknown>> | undefined {
    const response = this.specific("tool_response");
    return isRecord(response) ? response : undefined;
  }

  getTailToolCallRequest(): { readonly name: string; readonly args: Readonly<Record<string, unknown>> } | undefined {
    return tailToolCallRequest.safeParse(this.specific("tailToolCallRequest")).data;
  }
}

export class BeforeAgentHookOutput extends DefaultHookOutput {
  getModifiedPrompt(): string | undefined {
    const prompt = this.specific("prompt");
    return typeof prompt === "string" ? prompt : undefined;
  }
}

export class AfterAgentHookOutput extends DefaultHookOutput {
  shouldClearContext(): boolean {
    return this.specific("clearContext") === true;
  }
}

export class BeforeModelHookOutput extends DefaultHookOutput {
  /** The response to return instead of the model's. */
  getSyntheticResponse(): GenerateContentResponse | undefined {
    const response = wholeResponse(this.specific("llm_response"));
    return response && translator.fromHookLLMResponse(response);
  }

  /** Parts that hooks did not name, or cannot see, keep their value. */
  override applyLLMRequestModifications(request: GenerateContentParameters): GenerateContentParameters {
    const changed = this.specific("llm_request");
    if (!isRecord(changed)) return request;
    const isStable = !isSdkShaped(changed);
    const stable = isStable ? changed : readRequest(changed, translator.toHookLLMRequest(request)).value;
    return translator.fromHookLLMRequest(stable, request);
  }
}

export class AfterModelHookOutput extends DefaultHookOutput {
  /** If given the model's own response, keeps the parts that hooks did not change or cannot see. */
  getModifiedResponse(response?: GenerateContentResponse): GenerateContentResponse | undefined {
    const changed = wholeResponse(this.specific("llm_response"), response);
    return changed && translator.fromHookLLMResponse(changed, response);
  }
}

export class BeforeToolSelectionHookOutput extends DefaultHookOutput {
  /** The hooks' choice, in the stable form. */
  getToolConfig(): HookToolConfig | undefined {
    return hookToolConfig.safeParse(this.specific("toolConfig")).data;
  }

  /** Sets the mode and the names; the tools stay listed. */
  override applyToolConfigModifications(target: ToolSelection): ToolSelection {
    const toolConfig = translator.fromHookToolConfig(this.getToolConfig(), target.toolConfig);
    return toolConfig === undefined || toolConfig === target.toolConfig ? target : { ...target, toolConfig };
  }
}

/** Accepts the short form `{ text, functionCalls }` too. */
function wholeResponse(given: unknown, base?: GenerateContentResponse): LLMResponse | undefined {
  const whole = llmResponse.safeParse(given).data;
  if (whole || !isRecord(given)) return whole;
  return llmResponse.safeParse(readResponse(given, base && translator.toHookLLMResponse(base)).value).data;
}

export class AbilityHookOutput extends DefaultHookOutput {
  getSignals(): readonly HookSignal[] {
    return this.hook_signals ?? [];
  }
}

const OUTPUTS = {
  default: DefaultHookOutput,
  beforeTool: BeforeToolHookOutput,
  afterTool: AfterToolHookOutput,
  beforeAgent: BeforeAgentHookOutput,
  afterAgent: AfterAgentHookOutput,
  beforeModel: BeforeModelHookOutput,
  afterModel: AfterModelHookOutput,
  beforeToolSelection: BeforeToolSelectionHookOutput,
  ability: AbilityHookOutput,
} satisfies Record<OutputName, typeof DefaultHookOutput>;

export type OutputOf<Name extends OutputName> = InstanceType<(typeof OUTPUTS)[Name]>;

/** The output class that a catalog row names. */
export function createOutput(name: OutputName, data: HookOutput): DefaultHookOutput {
  return new OUTPUTS[name](data);
}

/** Wraps an answer in the output class of its event; an unknown event gets the base class. */
export function createHookOutput<Name extends HookEventName>(
  eventName: Name,
  data: HookOutput,
): OutputOf<(typeof EVENTS)[Name]["output"]>;
export function createHookOutput(eventName: string, data: HookOutput): DefaultHookOutput;
export function createHookOutput(eventName: string, data: HookOutput): DefaultHookOutput {
  return createOutput(isEventName(eventName) ? EVENTS[eventName].output : "default", data);
}

function isEventName(name: string): name is HookEventName {
  return Object.hasOwn(EVENTS, name);
}
