import type { GenerateContentResponse } from "@google/genai";
import { defaultHookTranslator } from "@hookline/engine/program";

/**
 * A body as it came over the wire or out of a file, with the getters that the SDK's class has. The class itself is not used:
 * it would load the SDK for a replay, too, and it warns on the console about every answer that holds a call beside text.
 */
export function responseFrom(body: Readonly<Record<string, unknown>>): GenerateContentResponse {
  const made = defaultHookTranslator.fromHookLLMResponse({});
  // What the class computes cannot be set; the raw response of the SDK has headers, which are nobody's business.
  const fields = Object.entries(body).filter(
    ([key]) => key !== "sdkHttpResponse" && (key === "candidates" || !(key in made)),
  );
  const { usageMetadata, ...others } = Object.fromEntries(fields);
  const used = soundCounts(usageMetadata);
  return Object.assign(made, others, used && { usageMetadata: used });
}

/** No model writes or reads so much at once. */
const MOST_TOKENS = 1e9;

/** A count that cannot be one is left out: it would end in sums, in budgets, and in the decision to compress. */
function soundCounts(usage: unknown): Record<string, unknown> | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const isSound = (count: unknown) => Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MOST_TOKENS;
  return Object.fromEntries(
    Object.entries(usage).filter(([name, value]) => !name.endsWith("TokenCount") || isSound(value)),
  );
}
