import type { GenerateContentResponse } from "@google/genai";
import { throwIfBlocked } from "./blocked.ts";
import { broken, type Service } from "./service.ts";

/** The answer as it comes. One that ends before the model has said why it ended is broken off, and half an answer is none. */
export async function* finished(
  service: Service,
  responses: AsyncIterable<GenerateContentResponse>,
): AsyncGenerator<GenerateContentResponse> {
  let isFinished = false;
  for await (const response of responses) {
    throwIfBlocked(response);
    isFinished ||= saysWhyItEnded(response);
    yield response;
  }
  if (!isFinished) throw broken(service, "broke off its answer: the stream ended before the model did");
}

/** The same for an answer that comes in one piece. */
export function finishedAtOnce(service: Service, response: GenerateContentResponse): GenerateContentResponse {
  throwIfBlocked(response);
  if (!saysWhyItEnded(response)) throw broken(service, "sent a response without a finished answer");
  return response;
}

function saysWhyItEnded({ candidates }: GenerateContentResponse): boolean {
  return candidates?.some(({ finishReason }) => Boolean(finishReason)) ?? false;
}
