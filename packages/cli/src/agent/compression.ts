import type { Content, GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import {
  addSystemNote,
  fireAfterModelHook,
  fireBeforeModelHook,
  firePreCompressHook,
  fireSessionStartHook,
  HooklineError,
} from "@hookline/engine";
import { type CompressTrigger, neutralise } from "@hookline/engine/program";
import { generateWithRetries } from "../models/retries.ts";
import type { AgentState } from "./agentState.ts";
import { contentOf, textOf, userText } from "./content.ts";
import { splitForCompression } from "./splitForCompression.ts";

export type Compression =
  | { readonly kind: "compressed"; readonly beforeTokens: number; readonly afterTokens: number }
  | { readonly kind: "nothingToCompress" }
  | { readonly kind: "notCompressed"; readonly why: string };

const TASK = `The conversation above is about to be forgotten, and your answer is all that will be left of it. Write down, for
yourself, what is needed to go on without it: what the person wants, in their words where they matter; what was decided and why;
every file that was looked at or changed, and how; commands that were run and what they came to; what hooks refused and the
reasons they gave; what is done, what is under way, and what is next. Facts only; no greeting, no advice.`;

/** Replaces the older part of the conversation with the model's summary. Fires PreCompress only if there is an older part. */
export async function compress(state: AgentState, trigger: CompressTrigger, signal: AbortSignal): Promise<Compression> {
  const { config, history, notes } = state;
  const parts = splitForCompression(history.contents);
  if (!parts) return { kind: "nothingToCompress" };
  notes.keep(await firePreCompressHook(config, trigger, { signal }));
  const summary = await summarise(state, parts.older, signal);
  if (summary.kind === "failed") return { kind: "notCompressed", why: summary.why };
  const beforeTokens = history.tokens;
  const started = await fireSessionStartHook(config, "compress", { signal });
  notes.keep(started);
  const text = ["Your summary of this session so far:", neutralise(summary.text), started.additionalContext];
  const first = userText(text.filter((part) => part !== undefined).join("\n\n"));
  history.replace([first, ...parts.recent], "compressed");
  const afterTokens = history.tokens;
  state.observe({ type: "compressed", beforeTokens, afterTokens });
  return { kind: "compressed", beforeTokens, afterTokens };
}

type Summary = { readonly kind: "summary"; readonly text: string } | { readonly kind: "failed"; readonly why: string };

/** An ordinary request: model hooks see it and may object. */
async function summarise(state: AgentState, older: readonly Content[], signal: AbortSignal): Promise<Summary> {
  const { config, model, systemInstruction, notes } = state;
  const full: GenerateContentParameters = {
    model,
    contents: [...older, userText(TASK)],
    config: { systemInstruction },
  };
  const before = await fireBeforeModelHook(config, full, { signal });
  signal.throwIfAborted();
  if (before.blocked) return { kind: "failed", why: before.reason ?? "A hook blocked it" };
  const changed = before.modifiedRequest ?? full;
  const request = before.systemMessage ? addSystemNote(changed, before.systemMessage) : changed;
  const response = before.syntheticResponse ?? (await generate(state, request, signal));
  if (response instanceof Error) return { kind: "failed", why: inWords(response) };
  const after = await fireAfterModelHook(config, request, response, { signal });
  signal.throwIfAborted();
  notes.keep(after);
  if (after.blocked || after.stopped) return { kind: "failed", why: after.reason ?? "A hook blocked it" };
  const text = textOf(contentOf(after.response)).trim();
  return text ? { kind: "summary", text } : { kind: "failed", why: "The model gave no summary" };
}

function inWords(error: Error): string {
  return (error instanceof HooklineError ? error.what : error.message).replace(/\.$/, "");
}

/** Returns errors instead of throwing: after a failure here the session continues with the uncompressed conversation. */
async function generate(
  { generator, retryPolicy, totals, observe }: AgentState,
  request: GenerateContentParameters,
  signal: AbortSignal,
): Promise<GenerateContentResponse | Error> {
  try {
    const response = await generateWithRetries(generator, request, {
      signal,
      ...(retryPolicy ? { policy: retryPolicy } : {}),
      onRetry: ({ reason, waitMs }) => observe({ type: "retry", reason, waitMs }),
    });
    totals.addResponse(response);
    return response;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  }
}
