import type { LLMRequest } from "../../events/modelSchemas.ts";
import type { Fields } from "../run/rewrites.ts";
import type { GenerateContentConfig } from "../sdkTypes.ts";
import { mergePlain, type PlainKind, plainFields, readPlain } from "./plainFields.ts";

/** Fields shown elsewhere in the request, bound to this process, or confidential, such as headers and tokens. */
const HIDDEN: ReadonlySet<string> = new Set([
  "systemInstruction",
  "tools",
  "toolConfig",
  "abortSignal",
  "httpOptions",
  "continuationToken",
]);

/** Fields that a hook may set even if the agent did not. */
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

/** All generation settings that can be written as JSON; undefined if there are none. */
export function toHookConfig(config: GenerateContentConfig | undefined): LLMRequest["config"] {
  const shown = plainFields({ ...config }, { settable: SETTABLE, hidden: HIDDEN });
  return Object.keys(shown).length > 0 ? shown : undefined;
}

/** Changes only the fields that the answer names. */
export function mergeGenerationConfig(base: GenerateContentConfig, changed: unknown): GenerateContentConfig {
  return mergePlain(base, changed, { settable: SETTABLE, hidden: HIDDEN });
}

/** The answer's changes to the shown settings, and the names of fields that it cannot change. */
export function readGenerationConfig(shown: unknown, changed: Fields): { fields: Fields; ignored: readonly string[] } {
  const { taken, ignored } = readPlain(shown, changed, { settable: SETTABLE, hidden: HIDDEN });
  return { fields: Object.fromEntries(taken), ignored };
}
