import type { GenerateContentResponse } from "@google/genai";
import { throwIfBlocked } from "./blocked.ts";
import { broken, type Service } from "./service.ts";

/** Passes the answer on. If the stream ends without a finish reason, the answer is incomplete, which is an error. */
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
  if (!isFinished) throw broken(service, "interrupted its answer: the stream ended without a finish reason");
}

/** The same check for an answer without streaming. */
export function finishedAtOnce(service: Service, response: GenerateContentResponse): GenerateContentResponse {
  throwIfBlocked(response);
  if (!saysWhyItEnded(response)) throw broken(service, "sent a response without a finished answer");
  return response;
}

function saysWhyItEnded({ candidates }: GenerateContentResponse): boolean {
  return candidates?.some(({ finishReason }) => Boolean(finishReason)) ?? false;
}
