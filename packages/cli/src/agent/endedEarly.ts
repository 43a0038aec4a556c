import type { GenerateContentResponse } from "@google/genai";
import { contentOf } from "./content.ts";

/** Reasons that say nothing a person would want to know. */
const USUAL: readonly string[] = ["STOP", "FINISH_REASON_UNSPECIFIED"];

/** What a person should know about how an answer ended; an answer that is cut looks like one that is not. */
export function endedEarly(response: GenerateContentResponse): string | undefined {
  const [candidate] = response.candidates ?? [];
  const { finishReason, finishMessage } = candidate ?? {};
  const why = finishMessage ? `${finishReason}: ${finishMessage}` : finishReason;
  if (finishReason && !USUAL.includes(finishReason)) return `The model ended its answer early (${why}).`;
  return contentOf(response) ? undefined : "The model answered nothing.";
}
