import type { GenerateContentParameters, GenerateContentResponse } from "@google/genai";

export type ModelMethod = "generateContent" | "generateContentStream";

/**
 * A model of any provider, with the interface of `@google/genai`. One call is one attempt: it fails with a `ModelError`,
 * which says whether to retry; so does an interrupted stream. Aborting rejects with the signal's reason.
 */
export interface ContentGenerator {
  generateContent(request: GenerateContentParameters, signal?: AbortSignal): Promise<GenerateContentResponse>;
  generateContentStream(
    request: GenerateContentParameters,
    signal?: AbortSignal,
  ): AsyncIterable<GenerateContentResponse>;
}
