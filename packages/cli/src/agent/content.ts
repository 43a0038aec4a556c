import type { Content, FunctionCall, GenerateContentResponse, Part } from "@google/genai";
import type { ToolResult } from "@hookline/engine";
import type { ToolContent } from "@hookline/engine/program";

export function userText(text: string): Content {
  return { role: "user", parts: [{ text }] };
}

/** The model's text, without its thoughts. */
export function textOf(content: Content | undefined): string {
  const said = content?.parts?.filter(({ thought }) => !thought) ?? [];
  return said.map(({ text }) => text ?? "").join("");
}

export function thoughtsOf(content: Content | undefined): string {
  return (content?.parts ?? []).map(({ text, thought }) => (thought && text) || "").join("");
}

export function callsOf(content: Content | undefined): FunctionCall[] {
  return content?.parts?.flatMap(({ functionCall }) => functionCall ?? []) ?? [];
}

/** Undefined if the answer is empty. */
export function contentOf({ candidates }: GenerateContentResponse): Content | undefined {
  const content = candidates?.[0]?.content;
  return content?.parts?.length ? { ...content, role: "model" } : undefined;
}

/** Converts a result for the model: text in the response, media as separate parts after it. */
export function responseParts({ id, name }: FunctionCall, { llmContent, error }: ToolResult): Part[] {
  const { texts, others } = split(llmContent);
  const response = error ? { error: error.message } : { output: texts.join("\n") };
  return [
    { functionResponse: { ...(id === undefined ? {} : { id }), name: name ?? "", response } },
    ...(error ? [] : others),
  ];
}

function split(content: ToolContent): { readonly texts: readonly string[]; readonly others: readonly Part[] } {
  const pieces = (Array.isArray(content) ? content : [content]).map(
    (piece): Part => (typeof piece === "string" ? { text: piece } : piece),
  );
  return {
    texts: pieces.flatMap(({ text }) => text ?? []),
    others: pieces.filter(({ text }) => text === undefined),
  };
}
