import type { GenerateContentResponse } from "@google/genai";

/** Every other finish reason means that the answer is incomplete or invalid. */
const USUAL: readonly string[] = ["STOP", "FINISH_REASON_UNSPECIFIED"];

/** Why an answer ended early: a limit, a filter, an unreadable call. A truncated answer looks complete otherwise. */
export function endedEarly({ candidates = [] }: GenerateContentResponse): string | undefined {
  const { finishReason, finishMessage } = candidates[0] ?? {};
  if (!finishReason || USUAL.includes(finishReason)) return undefined;
  return finishMessage ? `${finishReason}: ${finishMessage}` : finishReason;
}
