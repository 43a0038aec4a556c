import { z } from "zod";

/** A part of a message; `type` names its kind, bytes are elided. */
export const part = z.looseObject({ type: z.string() });

export const llmMessage = z.looseObject({
  role: z.enum(["user", "model", "system"]),
  content: z.string().describe("the text of the message"),
  parts: z.array(part).optional().describe("all parts, if the message contains more than text"),
});

export const hookToolConfig = z.looseObject({
  mode: z.enum(["AUTO", "ANY", "NONE"]).optional(),
  allowedFunctionNames: z.array(z.string()).optional(),
});

export const generationConfig = z.looseObject({
  temperature: z.number().optional(),
  maxOutputTokens: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
});

/** A model request in the stable form that hooks see, independent of the agent's SDK. */
export const llmRequest = z.looseObject({
  model: z.string(),
  messages: z.array(llmMessage),
  config: generationConfig.optional(),
  toolConfig: hookToolConfig.optional(),
  tools: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).optional(),
});

/** A model response in the stable form. */
export const llmResponse = z.looseObject({
  text: z.string().optional(),
  candidates: z.array(
    z.looseObject({
      content: z.looseObject({ role: z.literal("model"), parts: z.array(z.union([z.string(), part])) }),
      finishReason: z.string().optional(),
      index: z.number().optional(),
      safetyRatings: z.array(z.unknown()).optional(),
    }),
  ),
  usageMetadata: z.looseObject({}).optional(),
});

export type LLMRequest = z.infer<typeof llmRequest>;
export type LLMResponse = z.infer<typeof llmResponse>;
export type HookToolConfig = z.infer<typeof hookToolConfig>;
