import type { GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import { holdsResponse } from "@hookline/engine";
import { wellFormed } from "@hookline/engine/program";
import { joinChunks } from "../models/joinChunks.ts";
import { responseFrom } from "../models/response.ts";
import { streamWithRetries } from "../models/retries.ts";
import type { AgentState } from "./agentState.ts";
import { contentOf, textOf, thoughtsOf } from "./content.ts";

export interface Received {
  readonly response: GenerateContentResponse;
  /** The part of its text that was shown while it arrived. */
  readonly shown: string;
}

/** Receives the model's answer. Shows pieces as they arrive, unless a hook holds the answer or the display cannot retract them. */
export async function receive(
  { config, generator, model, retryPolicy, streams, totals, observe, journal }: AgentState,
  request: GenerateContentParameters,
  signal: AbortSignal,
): Promise<Received> {
  const isHeld = !streams || holdsResponse(config);
  const asked = journal?.begin("model", model);
  let chunks: GenerateContentResponse[] = [];
  let shown = "";
  try {
    const events = streamWithRetries(generator, request, { signal, ...(retryPolicy ? { policy: retryPolicy } : {}) });
    for await (const event of events) {
      if (event.kind === "retry") {
        if (shown) observe({ type: "retracted", why: "the request is repeated" });
        observe({ type: "retry", reason: event.reason, waitMs: event.waitMs });
        [chunks, shown] = [[], ""];
        continue;
      }
      chunks.push(event.response);
      if (isHeld) continue;
      const content = contentOf(event.response);
      const [text, thought] = [textOf(content), thoughtsOf(content)];
      if (thought) observe({ type: "thought", text: thought });
      if (text) observe({ type: "text", text });
      shown += text;
    }
  } catch (error) {
    asked?.(signal.aborted ? "cancelled" : "error");
    if (shown) observe({ type: "retracted", why: signal.aborted ? "interrupted" : "the answer was interrupted" });
    throw error;
  }
  const response = wellFormedResponse(joinChunks(chunks));
  const { promptTokenCount: input = 0, candidatesTokenCount: output = 0 } = response.usageMetadata ?? {};
  asked?.("success", { tokens: { input, output } });
  totals.addResponse(response); // the response was paid for, even if hooks discard it
  return { response, shown: shown.toWellFormed() };
}

/** Repairs lone surrogates before any hook or tool sees them: many programs fail on them, and others print them differently. */
function wellFormedResponse(response: GenerateContentResponse): GenerateContentResponse {
  const { candidates } = response;
  const repaired = wellFormed(candidates);
  return repaired === candidates || !repaired ? response : responseFrom({ ...response, candidates: repaired });
}
