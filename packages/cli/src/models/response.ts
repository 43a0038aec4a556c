import type { GenerateContentResponse } from "@google/genai";
import { defaultHookTranslator } from "@hookline/engine";

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
  return Object.assign(made, Object.fromEntries(fields));
}
