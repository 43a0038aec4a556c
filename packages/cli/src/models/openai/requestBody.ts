import type { GenerateContentConfig, GenerateContentParameters } from "@google/genai";
import { toJsonSchema } from "./jsonSchema.ts";
import { toMessages } from "./messages.ts";
import { toTools } from "./tools.ts";

interface BodyOptions {
  readonly stream: boolean;
  /** OpenAI has renamed this field; other servers know the old name. */
  readonly limitField: "max_tokens" | "max_completion_tokens";
}

export function requestBody(
  request: GenerateContentParameters,
  { stream, limitField }: BodyOptions,
): Readonly<Record<string, unknown>> {
  const config = request.config ?? {};
  return {
    model: request.model,
    messages: toMessages(request),
    ...toTools(config),
    ...settingsOf(config, limitField),
    ...responseFormat(config),
    stream,
    // Without this, a stream does not report its usage.
    ...(stream && { stream_options: { include_usage: true } }),
  };
}

function settingsOf(config: GenerateContentConfig, limitField: BodyOptions["limitField"]): Record<string, unknown> {
  const settings = {
    temperature: config.temperature,
    top_p: config.topP,
    [limitField]: config.maxOutputTokens,
    stop: config.stopSequences?.length ? config.stopSequences : undefined,
    presence_penalty: config.presencePenalty,
    frequency_penalty: config.frequencyPenalty,
    seed: config.seed,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function responseFormat({ responseMimeType, responseJsonSchema, responseSchema }: GenerateContentConfig) {
  const schema = responseJsonSchema ?? (responseSchema && toJsonSchema({ ...responseSchema }));
  if (schema) return { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } };
  return responseMimeType === "application/json" ? { response_format: { type: "json_object" } } : {};
}
