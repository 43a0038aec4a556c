import type { LLMRequest } from "../../events/modelSchemas.ts";
import type { GenerateContentConfig, GenerateContentParameters } from "../sdkTypes.ts";
import { mergeGenerationConfig, toHookConfig } from "./generationConfig.ts";
import { mergePrompt, toHookMessages } from "./prompt.ts";
import { fromHookToolConfig, toHookToolConfig } from "./toolConfig.ts";
import { mergeTools, type RequestWithTools, toHookTools, toolsOf } from "./toolList.ts";

export function toHookLLMRequest(request: RequestWithTools): LLMRequest {
  const { model, contents, config } = request;
  const generation = toHookConfig(config);
  const toolConfig = toHookToolConfig(config?.toolConfig);
  const tools = toHookTools(toolsOf(request));
  return {
    model: typeof model === "string" ? model : "",
    messages: toHookMessages({ contents, systemInstruction: config?.systemInstruction }),
    ...(generation && { config: generation }),
    ...(toolConfig && { toolConfig }),
    ...(tools.length > 0 && { tools }),
  };
}

/** The agent's request with the hooks' changes, or a new one from hooks. Without a change, `base` itself. */
export function fromHookLLMRequest(
  changed: Partial<LLMRequest>,
  base: RequestWithTools = NO_REQUEST,
): GenerateContentParameters {
  const before = base.config ?? {};
  const model = typeof changed.model === "string" && changed.model !== "" ? changed.model : base.model;
  const prompt = { contents: base.contents, systemInstruction: before.systemInstruction };
  const { contents, systemInstruction } = mergePrompt(changed.messages, prompt);
  const config = withFields(mergeGenerationConfig(before, changed.config), {
    systemInstruction,
    tools: mergeTools(before.tools, changed.tools),
    toolConfig: fromHookToolConfig(changed.toolConfig, before.toolConfig),
  });
  const tools = mergeTools(base.tools, changed.tools);
  if (model === base.model && contents === base.contents && config === before && tools === base.tools) return base;
  return { ...base, model, contents, ...(config !== before && { config }), ...(tools && { tools }) };
}

const NO_REQUEST: GenerateContentParameters = { model: "", contents: [] };

type HiddenFields = Pick<GenerateContentConfig, "systemInstruction" | "tools" | "toolConfig">;

function withFields(
  config: GenerateContentConfig,
  { systemInstruction, tools, toolConfig }: { [Field in keyof HiddenFields]-?: HiddenFields[Field] | undefined },
): GenerateContentConfig {
  const unchanged =
    config.systemInstruction === systemInstruction && config.tools === tools && config.toolConfig === toolConfig;
  if (unchanged) return config;
  const { systemInstruction: _instruction, tools: _tools, toolConfig: _toolConfig, ...rest } = config;
  return {
    ...rest,
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...(tools && { tools }),
    ...(toolConfig && { toolConfig }),
  };
}
