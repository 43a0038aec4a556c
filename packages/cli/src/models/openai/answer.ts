import type { GenerateContentResponse } from "@google/genai";
import { responseFrom } from "../response.ts";
import { ToolCalls } from "./toolCalls.ts";
import type { Completion, Usage, WireMessage } from "./wire.ts";

/** Includes names that other servers use. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ...[
    "stop",
    "tool_calls",
    "function_call",
    "tool_call",
    "tool_use",
    "eos",
    "eos_token",
    "end_turn",
    "stop_sequence",
  ].map((reason): [string, string] => [reason, "STOP"]),
  ["length", "MAX_TOKENS"],
  ["max_tokens", "MAX_TOKENS"],
  ["content_filter", "SAFETY"],
]);

/** Converts the pieces of an answer to responses. Passes text on at once, calls when they are complete. */
export class AnswerReader {
  readonly #calls = new ToolCalls();

  read({ id, model, choices, usage }: Completion): GenerateContentResponse {
    const choice = choices.find(({ index }) => (index ?? 0) === 0);
    const message = choice?.delta ?? choice?.message ?? {};
    const isWhole = !choice?.delta;
    for (const call of message.tool_calls ?? []) this.#calls.add(call, isWhole);
    const reason = choice?.finish_reason;
    const parts = [...wordsOf(message), ...(reason ? this.#calls.take() : [])];
    return responseFrom({
      ...(choice && {
        candidates: [
          {
            index: 0,
            content: { role: "model", parts },
            ...(reason && { finishReason: FINISH_REASONS.get(reason) ?? "OTHER" }),
          },
        ],
      }),
      ...(id && { responseId: id }),
      ...(model && { modelVersion: model }),
      ...(usage && { usageMetadata: usageOf(usage) }),
    });
  }
}

function wordsOf({ content, refusal, reasoning_content, reasoning }: WireMessage): readonly Record<string, unknown>[] {
  const thought = reasoning_content || reasoning;
  const text = `${content ?? ""}${refusal ?? ""}`;
  return [...(thought ? [{ text: thought, thought: true }] : []), ...(text === "" ? [] : [{ text }])];
}

/** OpenAI counts thoughts as part of the output; Gemini counts them separately. */
function usageOf(usage: Usage): Record<string, number> {
  const prompt = usage.prompt_tokens ?? 0;
  const written = usage.completion_tokens ?? 0;
  const thoughts = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: Math.max(0, written - thoughts),
    totalTokenCount: usage.total_tokens ?? prompt + written,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(cached > 0 && { cachedContentTokenCount: cached }),
  };
}
