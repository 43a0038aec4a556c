import type { GenerateContentResponse } from "@google/genai";
import { defaultHookTranslator } from "@hookline/engine/program";

/**
 * Adds the getters of the SDK's class to a body from the network or a file. The class itself would load the SDK even for a
 * replay, and it warns on the console about every answer with both text and a call.
 */
export function responseFrom(body: Readonly<Record<string, unknown>>): GenerateContentResponse {
  const made = defaultHookTranslator.fromHookLLMResponse({});
  // Computed properties of the class cannot be set; drop the SDK's raw response because of its headers.
  const fields = Object.entries(body).filter(
    ([key]) => key !== "sdkHttpResponse" && (key === "candidates" || !(key in made)),
  );
  const { usageMetadata, ...others } = Object.fromEntries(fields);
  const used = soundCounts(usageMetadata);
  return Object.assign(made, others, used && { usageMetadata: used });
}

/** More than any model reads or writes at once. */
const MOST_TOKENS = 1e9;

/** Drops impossible token counts, which would corrupt sums, budgets and the decision to compress. */
function soundCounts(usage: unknown): Record<string, unknown> | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const isSound = (count: unknown) => Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MOST_TOKENS;
  return Object.fromEntries(
    Object.entries(usage).filter(([name, value]) => !name.endsWith("TokenCount") || isSound(value)),
  );
}
