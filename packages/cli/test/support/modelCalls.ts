import type { GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import type { ContentGenerator } from "../../src/models/contentGenerator.ts";
import type { ModelEvent } from "../../src/models/retries.ts";

export function question(text = "Hello", config: GenerateContentParameters["config"] = {}): GenerateContentParameters {
  return { model: "test-model", contents: [{ role: "user", parts: [{ text }] }], config };
}

/** Everything of a stream, in order. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export async function streamText(model: ContentGenerator, request = question(), signal?: AbortSignal): Promise<string> {
  return textOf(await all(model.generateContentStream(request, signal)));
}

export function textOf(chunks: readonly GenerateContentResponse[]): string {
  return chunks.map(({ text }) => text ?? "").join("");
}

/** What a person would read who follows the events: a retry wipes what came before. */
export function finalText(events: readonly ModelEvent[]): string {
  return events.reduce((text, event) => (event.kind === "retry" ? "" : text + (event.response.text ?? "")), "");
}

/** What a promise was rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("It should have failed");
    },
    (error: unknown) => error,
  );
}
