import type { FunctionCall, Part } from "@google/genai";
import { neutralise } from "@hookline/engine/program";
import { responseParts } from "./content.ts";

/** The response to a call that did not run: models refuse a conversation in which one is missing. */
export function notRun(call: FunctionCall, why: string): Part[] {
  const message = `This call was not run: ${neutralise(why)}`;
  return responseParts(call, { llmContent: message, returnDisplay: message, error: { message } });
}
