import type { Content, FunctionCall, Part } from "@google/genai";
import { callsOf } from "./content.ts";

export const INTERRUPTED = "The session was interrupted here. Whether this call ran, and how far, is not known.";

/** Models refuse a conversation in which a call has no response: what an interruption left open is closed here. */
export function completeHistory(contents: readonly Content[]): Content[] {
  const complete: Content[] = [];
  let open: readonly FunctionCall[] = [];
  for (const content of contents) {
    const { parts = [] } = content;
    const missing = unanswered(open, parts);
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

/** By id, where a call has one. In sets: a transcript may hold more calls than can be compared one by one. */
function unanswered(open: readonly FunctionCall[], parts: readonly Part[]): readonly FunctionCall[] {
  if (open.length === 0) return [];
  const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  const ids = new Set(responses.map(({ id }) => id));
  const names = new Set(responses.map(({ name }) => name));
  return open.filter(({ id, name }) => !(id === undefined ? names.has(name) : ids.has(id)));
}

function interrupted({ id, name }: FunctionCall): Part {
  return {
    functionResponse: { ...(id === undefined ? {} : { id }), name: name ?? "", response: { error: INTERRUPTED } },
  };
}
