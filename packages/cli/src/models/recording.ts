import type { GenerateContentResponse } from "@google/genai";
import { presentable } from "@hookline/engine/program";
import type { ContentGenerator } from "./contentGenerator.ts";
import type { JsonLines } from "./jsonLines.ts";

/** Records every complete answer in the format of `replay:<file>`. */
export function recording(model: ContentGenerator, file: JsonLines): ContentGenerator {
  return {
    async generateContent(request, signal) {
      const response = await model.generateContent(request, signal);
      await file.append(presentable({ method: "generateContent", response }));
      return response;
    },
    async *generateContentStream(request, signal) {
      const response: GenerateContentResponse[] = [];
      for await (const chunk of model.generateContentStream(request, signal)) {
        response.push(chunk);
        yield chunk;
      }
      await file.append(presentable({ method: "generateContentStream", response }));
    },
  };
}
