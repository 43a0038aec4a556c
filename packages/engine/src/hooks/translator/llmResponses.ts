import type { LLMResponse } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { Candidate, GenerateContentResponse } from "../sdkTypes.ts";
import { mergeCandidates, sayInstead, toHookCandidate } from "./candidates.ts";
import { partsOf } from "./hookPart.ts";
import { HookResponse, spokenText } from "./hookResponse.ts";
import { mergePlain, type PlainKind } from "./plainFields.ts";

export function toHookLLMResponse(response: GenerateContentResponse): LLMResponse {
  const candidates = candidatesOf(response);
  const text = spokenText(partsOf(candidates[0]?.content));
  return {
    ...(text !== undefined && { text }),
    candidates: candidates.map(toHookCandidate),
    ...(isRecord(response.usageMetadata) && { usageMetadata: { ...response.usageMetadata } }),
  };
}

/** The model's response with the hooks' changes, or a new one from hooks. Without a change, `base` itself. */
export function fromHookLLMResponse(
  changed: Partial<LLMResponse>,
  base: GenerateContentResponse = new HookResponse(),
): GenerateContentResponse {
  const before = candidatesOf(base);
  const candidates = changeCandidates(changed, before);
  const usage = base.usageMetadata ?? {};
  const usageMetadata = mergePlain(usage, changed.usageMetadata, COUNT_RULES);
  if (candidates === before && usageMetadata === usage) return base;
  return copyWith(base, {
    ...(candidates !== before && { candidates: [...candidates] }),
    ...(usageMetadata !== usage && { usageMetadata }),
  });
}

/** Counts that a hook may set even if the model gave none. */
const COUNT_RULES = {
  settable: new Map<string, PlainKind>([
    ["promptTokenCount", "number"],
    ["candidatesTokenCount", "number"],
    ["totalTokenCount", "number"],
  ]),
  hidden: new Set<string>(),
};

/**
 * `text` is the short form: it counts if the candidates have no text of their own, because they are absent,
 * empty or unchanged. It then replaces the first candidate's text; calls and thoughts stay.
 */
function changeCandidates(
  { text, candidates }: Partial<LLMResponse>,
  before: readonly Candidate[],
): readonly Candidate[] {
  const merged = mergeCandidates(before, candidates);
  if (typeof text !== "string" || text === spokenText(partsOf(before[0]?.content))) return merged;
  const spoken = merged.length === 0 ? before : merged;
  return spoken === before || partsOf(spoken[0]?.content).length === 0 ? sayInstead(spoken, text) : merged;
}

function candidatesOf({ candidates }: GenerateContentResponse): readonly Candidate[] {
  return Array.isArray(candidates) ? candidates : NO_CANDIDATES;
}

const NO_CANDIDATES: readonly Candidate[] = [];

/** A response of the same class, so that the SDK's getters read the new candidates. */
function copyWith(
  base: GenerateContentResponse,
  fields: Partial<Pick<GenerateContentResponse, "candidates" | "usageMetadata">>,
): GenerateContentResponse {
  const made: GenerateContentResponse = Object.create(prototypeFor(base));
  // A plain object may have fields that the class computes; copies of them would describe the old candidates.
  const kept = Object.entries(base).filter(([key]) => !(key in made));
  return Object.assign(made, Object.fromEntries(kept), fields);
}

function prototypeFor(base: GenerateContentResponse): object {
  const prototype: unknown = Object.getPrototypeOf(base);
  return isRecord(prototype) && "functionCalls" in prototype ? prototype : HookResponse.prototype;
}
