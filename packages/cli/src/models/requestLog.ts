import type { GenerateContentParameters } from "@google/genai";
import type { ContentGenerator, ModelMethod } from "./contentGenerator.ts";
import type { JsonLines } from "./jsonLines.ts";

/** Logs every request before it is sent, each attempt separately: exactly what the model receives. */
export function loggingRequests(model: ContentGenerator, file: JsonLines): ContentGenerator {
  return {
    async generateContent(request, signal) {
      await file.append(lineFor("generateContent", request));
      return model.generateContent(request, signal);
    },
    async *generateContentStream(request, signal) {
      await file.append(lineFor("generateContentStream", request));
      yield* model.generateContentStream(request, signal);
    },
  };
}

function lineFor(method: ModelMethod, { model, contents, config = {} }: GenerateContentParameters) {
  // Leave out transport options: the model does not see them, and headers may contain a key.
  const { abortSignal: _signal, httpOptions: _http, ...seen } = config;
  return { method, request: { model, contents, config: seen } };
}
