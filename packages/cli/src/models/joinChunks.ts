import type { Candidate, Content, GenerateContentResponse, Part } from "@google/genai";
import { responseFrom } from "./response.ts";

/**
 * Joins the chunks of a stream into one response: candidates by index, adjacent text parts of the same kind joined, other parts in
 * order. For other fields the last value counts, but a reason why the answer ended early stays.
 */
export function joinChunks(chunks: readonly GenerateContentResponse[]): GenerateContentResponse {
  const candidates = new Map<number, Gathered>();
  const fields: Record<string, unknown> = {};
  for (const chunk of chunks) {
    Object.assign(fields, given(chunk));
    for (const [position, candidate] of (chunk.candidates ?? []).entries()) {
      const index = candidate.index ?? position;
      const gathered = candidates.get(index) ?? { fields: {}, content: {}, parts: [] };
      candidates.set(index, gathered);
      const { finishReason: before } = gathered.fields;
      Object.assign(gathered.fields, given(candidate));
      if (before !== undefined && !ENDED_WELL.has(before)) gathered.fields.finishReason = before;
      Object.assign(gathered.content, candidate.content);
      for (const part of candidate.content?.parts ?? []) gathered.parts.push(part);
    }
  }
  const inOrder = [...candidates].toSorted(([one], [other]) => one - other);
  return responseFrom({ ...fields, candidates: inOrder.map(([, candidate]) => joined(candidate)) });
}

/** Every other finish reason means that the answer is incomplete or invalid. */
export const ENDED_WELL: ReadonlySet<string> = new Set(["STOP", "FINISH_REASON_UNSPECIFIED"]);

/** The parts of a candidate. They are joined once at the end: joining with every chunk would take quadratic time. */
interface Gathered {
  readonly fields: Candidate;
  readonly content: Content;
  readonly parts: Part[];
}

function joined({ fields, content, parts }: Gathered): Candidate {
  return { ...fields, content: { role: "model", ...content, parts: joinParts(parts) } };
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

/** A signature covers exactly the part it came with, so such a part must not be joined with another. */
function isMereText(part: Part): part is Part & { text: string } {
  return typeof part.text === "string" && Object.keys(part).every((key) => key === "text" || key === "thought");
}

function isThought({ thought }: Part): boolean {
  return thought === true;
}

/** Drops empty fields: they do not overwrite earlier values. */
function given(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
