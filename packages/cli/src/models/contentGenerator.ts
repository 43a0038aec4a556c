import type { GenerateContentParameters, GenerateContentResponse } from "@google/genai";

export type ModelMethod = "generateContent" | "generateContentStream";

/**
 * A model, in the terms of `@google/genai`, whoever stands behind it. One call is one attempt: it fails with a `ModelError`,
 * which says whether to try again, and a stream that breaks off fails too. Aborting rejects with the signal's reason.
 */
export interface ContentGenerator {
  generateContent(request: GenerateContentParameters, signal?: AbortSignal): Promise<GenerateContentResponse>;
  generateContentStream(
    request: GenerateContentParameters,
    signal?: AbortSignal,
  ): AsyncIterable<GenerateContentResponse>;
}
