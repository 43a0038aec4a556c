import type { Content, FunctionCall, Part } from "@google/genai";
import { callsOf } from "./content.ts";

export const INTERRUPTED = "The session was interrupted here. Whether this call ran, and how far, is not known.";

/** Models refuse a conversation in which a call has no response: what an interruption left open is closed here. */
export function completeHistory(contents: readonly Content[]): Content[] {
  const complete: Content[] = [];
  let open: readonly FunctionCall[] = [];
  for (const content of contents) {
    const { parts = [] } = content;
    const missing = open.filter((call) => !parts.some((part) => answers(part, call)));
    const isResponse = parts.some(({ functionResponse }) => functionResponse);
    if (open.length > 0 && isResponse) complete.push({ ...content, parts: [...parts, ...missing.map(interrupted)] });
    else complete.push(...closing(open), content);
    open = callsOf(content);
  }
  return [...complete, ...closing(open)];
}

function closing(open: readonly FunctionCall[]): Content[] {
  return open.length > 0 ? [{ role: "user", parts: open.map(interrupted) }] : [];
}

function answers({ functionResponse }: Part, { id, name }: FunctionCall): boolean {
  return (
    functionResponse !== undefined && (id === undefined ? functionResponse.name === name : functionResponse.id === id)
  );
}

function interrupted({ id, name }: FunctionCall): Part {
  return {
    functionResponse: { ...(id === undefined ? {} : { id }), name: name ?? "", response: { error: INTERRUPTED } },
  };
}
