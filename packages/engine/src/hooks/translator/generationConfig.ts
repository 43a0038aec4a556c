import type { LLMRequest } from "../../events/modelSchemas.ts";
import type { Fields } from "../run/rewrites.ts";
import type { GenerateContentConfig } from "../sdkTypes.ts";
import { mergePlain, type PlainKind, plainFields, readPlain } from "./plainFields.ts";

/** Shown elsewhere in the request, bound to this process, or, as headers and tokens, nobody's business. */
const HIDDEN: ReadonlySet<string> = new Set([
  "systemInstruction",
  "tools",
  "toolConfig",
  "abortSignal",
  "httpOptions",
  "continuationToken",
]);

/** What a hook may set although the agent did not. */
const SETTABLE: ReadonlyMap<string, PlainKind> = new Map<keyof GenerateContentConfig, PlainKind>([
  ["temperature", "number"],
  ["maxOutputTokens", "number"],
  ["topP", "number"],
  ["topK", "number"],
  ["stopSequences", "texts"],
  ["candidateCount", "number"],
  ["presencePenalty", "number"],
  ["frequencyPenalty", "number"],
  ["seed", "number"],
  ["logprobs", "number"],
  ["responseLogprobs", "boolean"],
  ["responseMimeType", "text"],
  ["responseModalities", "texts"],
  ["responseSchema", "object"],
  ["responseJsonSchema", "object"],
  ["mediaResolution", "text"],
  ["safetySettings", "list"],
  ["thinkingConfig", "object"],
  ["labels", "object"],
]);

/** Every generation setting that can be written as JSON; undefined when there is none. */
export function toHookConfig(config: GenerateContentConfig | undefined): LLMRequest["config"] {
  const shown = plainFields({ ...config }, { settable: SETTABLE, hidden: HIDDEN });
  return Object.keys(shown).length > 0 ? shown : undefined;
}

/** Only the fields that the answer names change. */
export function mergeGenerationConfig(base: GenerateContentConfig, changed: unknown): GenerateContentConfig {
  return mergePlain(base, changed, { settable: SETTABLE, hidden: HIDDEN });
}

/** What an answer changes of the settings that were shown, and the names of what it cannot change. */
export function readGenerationConfig(shown: unknown, changed: Fields): { fields: Fields; ignored: readonly string[] } {
  const { taken, ignored } = readPlain(shown, changed, { settable: SETTABLE, hidden: HIDDEN });
  return { fields: Object.fromEntries(taken), ignored };
}
