import type { LLMResponse } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { Candidate, FinishReason } from "../sdkTypes.ts";
import { type HookPart, isHookPart, isPlainText, partsOf, toHookPart } from "./hookPart.ts";
import { mergeList } from "./mergeList.ts";
import { mergeParts, replaceText } from "./mergeParts.ts";
import { originalParts } from "./originalParts.ts";
import { mergePlain, type PlainKind, plainFields } from "./plainFields.ts";
import { sameJson } from "./sameJson.ts";

type HookCandidate = LLMResponse["candidates"][number];

/** The fields of a candidate, other than its content, that hooks see and may set. */
const RULES = {
  settable: new Map<string, PlainKind>([
    ["finishReason", "text"],
    ["index", "number"],
    ["safetyRatings", "list"],
  ]),
  hidden: new Set<string>(),
};

export function toHookCandidate(candidate: Candidate): HookCandidate {
  const parts = partsOf(candidate?.content).map((part) => (isPlainText(part) ? part.text : toHookPart(part)));
  return { content: { role: "model", parts }, ...plainFields(visibleFields({ ...candidate }), RULES) };
}

/** The candidates of the answer; unchanged ones are the originals. An unreadable list changes nothing. */
export function mergeCandidates(originals: readonly Candidate[], answered: unknown): readonly Candidate[] {
  if (!Array.isArray(answered) || !answered.every(isHookCandidate)) return originals;
  const known = originalParts(originals.map((candidate) => candidate?.content));
  const merge = (original: Candidate, candidate: HookCandidate): Candidate => {
    const before = partsOf(original.content);
    const parts = mergeParts(before, candidate.content.parts.map(typed), known);
    const fields = mergePlain(original, visibleFields(candidate), RULES);
    return parts === before
      ? fields
      : { ...fields, content: { role: "model", ...original.content, parts: [...parts] } };
  };
  return mergeList({
    originals,
    show: toHookCandidate,
    answered,
    same: sameJson,
    key: () => "candidate",
    edit: merge,
    add: (candidate) => merge(newCandidate(), candidate),
  });
}

/** Replaces the text of the first candidate, or creates a first candidate. */
export function sayInstead([first, ...others]: readonly Candidate[], text: string): readonly Candidate[] {
  const candidate = first ?? newCandidate();
  const parts = replaceText(partsOf(candidate.content), text);
  return [{ ...candidate, content: { role: "model", ...candidate.content, parts: [...parts] } }, ...others];
}

function newCandidate(): Candidate {
  // A value of the SDK's enum, which cannot be imported.
  return { content: { role: "model", parts: [] }, finishReason: "STOP" as FinishReason };
}

function visibleFields({ finishReason, index, safetyRatings }: Readonly<Record<string, unknown>>) {
  return { finishReason, index, safetyRatings };
}

/** In a response, plain text is a string. */
function typed(part: string | HookPart): HookPart {
  return typeof part === "string" ? { type: "text", text: part } : part;
}

function isHookCandidate(value: unknown): value is HookCandidate {
  if (!isRecord(value) || !isRecord(value.content) || !Array.isArray(value.content.parts)) return false;
  return value.content.parts.every((part) => typeof part === "string" || isHookPart(part));
}
