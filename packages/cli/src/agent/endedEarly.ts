import type { GenerateContentResponse } from "@google/genai";

/** Every other reason says that something is missing from the answer, or should not be in it. */
const USUAL: readonly string[] = ["STOP", "FINISH_REASON_UNSPECIFIED"];

/** Why an answer ended before the model was done: a limit, a filter, a call that cannot be read. An answer that is cut looks whole. */
export function endedEarly({ candidates = [] }: GenerateContentResponse): string | undefined {
  const { finishReason, finishMessage } = candidates[0] ?? {};
  if (!finishReason || USUAL.includes(finishReason)) return undefined;
  return finishMessage ? `${finishReason}: ${finishMessage}` : finishReason;
}
