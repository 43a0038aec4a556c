import type { Content, FunctionCall, Part } from "@google/genai";
import { callsOf } from "./content.ts";

export const INTERRUPTED = "The session was interrupted here. It is unknown whether this call ran, and how far.";

/** Adds a response to every call that an interruption left open: models refuse a conversation in which one is missing. */
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

/** Matches by id if a call has one. Uses sets: a transcript may contain too many calls for pairwise comparison. */
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
