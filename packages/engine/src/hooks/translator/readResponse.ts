import type { LLMResponse } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { Fields, FormReading } from "../run/rewrites.ts";
import { readHookPart } from "./hookPart.ts";
import { sameJson } from "./sameJson.ts";

type Candidate = LLMResponse["candidates"][number];
type ResponsePart = Candidate["content"]["parts"][number];

const KNOWN = new Set(["text", "candidates", "usageMetadata", "functionCalls"]);

/**
 * Reads a response of an answer as a whole: fields that it leaves out are unchanged. `text` and `functionCalls` are a short form for the
 * first candidate: each replaces its kind and keeps the other. Keeps an unreadable field, so that it blocks.
 */
export function readResponse(answered: Fields, shown: unknown): FormReading {
  const before: Fields | undefined = isRecord(shown) ? shown : undefined;
  if (before && isAllNull(answered)) return { value: before, ignored: [] };
  const shownCandidates: Candidate[] = Array.isArray(before?.candidates) ? before.candidates : [];
  const given = Array.isArray(answered.candidates) ? answered.candidates : [];
  const isReadable = answered.candidates == null || Array.isArray(answered.candidates);
  const listed = given.map((candidate, index) => readCandidate(candidate, shownCandidates[index]));
  if (!isReadable || listed.includes(undefined) || !saysSomething(answered)) return { value: answered, ignored: [] };
  const candidates = listed.filter((candidate) => candidate !== undefined);
  const isUnchanged = candidates.length === 0 || sameJson(candidates, shownCandidates);
  const final = isEmptied(answered)
    ? []
    : applyShortForm(answered, isUnchanged ? shownCandidates : candidates, shownCandidates[0]);
  const text = textOf(final[0]);
  const hasText = text !== undefined && (before === undefined || "text" in before || "text" in answered);
  const { text: _text, ...rest } = before ?? {};
  return {
    value: {
      ...(hasText && { text }),
      ...rest,
      candidates: final,
      ...(answered.usageMetadata != null && { usageMetadata: usageOf(answered.usageMetadata, before) }),
    },
    ignored: Object.keys(answered)
      .filter((key) => !KNOWN.has(key) && answered[key] != null && !(before && key in before))
      .map((key) => `llm_response.${key} has no effect`),
  };
}

function saysSomething(answered: Fields): boolean {
  return [...KNOWN].some((key) => answered[key] != null);
}

/** Null is absent: such an answer changes nothing. */
function isAllNull(answered: Fields): boolean {
  const values = Object.values(answered);
  return values.length > 0 && values.every((value) => value === null);
}

/** Whether the response is removed: no candidates and no replacement. */
function isEmptied({ candidates, text, functionCalls }: Fields): boolean {
  return Array.isArray(candidates) && candidates.length === 0 && text == null && functionCalls == null;
}

/** `text` counts if the candidates have no text of their own: absent, empty, or with the text that was shown. */
function applyShortForm(answered: Fields, candidates: readonly Candidate[], shown: Candidate | undefined): Candidate[] {
  const [first = { content: { role: "model", parts: [] } }, ...others] = candidates;
  const { text, functionCalls } = answered;
  let { parts } = first.content;
  const isAsShown = parts.length === 0 || sameJson(parts, shown?.content.parts);
  if (typeof text === "string" && (isAsShown || textOf(first) === textOf(shown)) && text !== textOf(first)) {
    parts = withText(parts, text);
  }
  if (Array.isArray(functionCalls) && isAsShown) {
    const calls = functionCalls.filter(isRecord).map((call) => ({ ...call, type: "functionCall" }));
    parts = [...parts.filter((part) => typeof part === "string" || part.type !== "functionCall"), ...calls];
  }
  return parts === first.content.parts && candidates.length > 0
    ? [...candidates]
    : [{ ...first, content: { ...first.content, parts: [...parts] } }, ...others];
}

/** Parts may also be in the SDK's shape; plain text is a string. */
function readCandidate(value: unknown, shown: Candidate | undefined): Candidate | undefined {
  if (!isRecord(value) || !isRecord(value.content) || !Array.isArray(value.content.parts)) return undefined;
  const parts = value.content.parts.map(readPart);
  if (parts.includes(undefined)) return undefined;
  const content = { ...value.content, role: "model" as const, parts: parts.filter((part) => part !== undefined) };
  return { ...shown, ...withoutNulls(value), content };
}

function readPart(value: unknown): ResponsePart | undefined {
  if (typeof value === "string") return value;
  const part = readHookPart(value);
  return part?.type === "text" && typeof part.text === "string" ? part.text : part;
}

/** Replaces the first text; everything else stays in place. */
function withText(parts: readonly ResponsePart[], text: string): ResponsePart[] {
  const first = parts.findIndex(isSpoken);
  if (first === -1) return [...parts, text];
  return parts.flatMap((part, index): ResponsePart[] => (index === first ? [text] : isSpoken(part) ? [] : [part]));
}

const isSpoken = (part: ResponsePart) => typeof part === "string";

/** The text of the first candidate; undefined if it has none. */
function textOf(candidate: Candidate | undefined): string | undefined {
  const spoken = (candidate?.content.parts ?? []).flatMap((part) => {
    if (typeof part === "string") return [part];
    return part.type !== "thought" && typeof part.text === "string" ? [part.text] : [];
  });
  return spoken.length > 0 ? spoken.join("") : undefined;
}

function usageOf(given: unknown, before: Fields | undefined): unknown {
  if (!isRecord(given)) return given;
  return { ...(isRecord(before?.usageMetadata) ? before.usageMetadata : {}), ...withoutNulls(given) };
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
