import type { Candidate, GenerateContentResponse, Part } from "@google/genai";
import { responseFrom } from "./response.ts";

/**
 * The complete response of a stream: candidates by their index, text that follows text of its kind joined with it, everything
 * else in order. Of all other fields, the last word counts.
 */
export function joinChunks(chunks: readonly GenerateContentResponse[]): GenerateContentResponse {
  const candidates = new Map<number, Candidate>();
  for (const chunk of chunks) {
    for (const [position, candidate] of (chunk.candidates ?? []).entries()) {
      const index = candidate.index ?? position;
      candidates.set(index, joinCandidates(candidates.get(index), candidate));
    }
  }
  const fields: Record<string, unknown> = Object.assign({}, ...chunks.map(given));
  const inOrder = [...candidates].toSorted(([one], [other]) => one - other);
  return responseFrom({ ...fields, candidates: inOrder.map(([, candidate]) => candidate) });
}

function joinCandidates(before: Candidate | undefined, next: Candidate): Candidate {
  const parts = joinParts([...(before?.content?.parts ?? []), ...(next.content?.parts ?? [])]);
  return { ...before, ...given(next), content: { role: "model", ...before?.content, ...next.content, parts } };
}

function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (!isMereText(part)) joined.push(part);
    else if (part.text === "") continue;
    else if (last && isMereText(last) && isThought(last) === isThought(part)) {
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    } else joined.push(part);
  }
  return joined;
}

/** A signature belongs to the very part it came with: joined with another part, it would sign something else. */
function isMereText(part: Part): part is Part & { text: string } {
  return typeof part.text === "string" && Object.keys(part).every((key) => key === "text" || key === "thought");
}

function isThought({ thought }: Part): boolean {
  return thought === true;
}

/** An empty field of a later chunk takes nothing back. */
function given(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
