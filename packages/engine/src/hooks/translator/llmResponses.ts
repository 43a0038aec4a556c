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

/** The model's response with what hooks changed of it, or one of the hooks' own. Without a change it is the very base. */
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

/** Counts that a hook may set although the model gave none. */
const COUNT_RULES = {
  settable: new Map<string, PlainKind>([
    ["promptTokenCount", "number"],
    ["candidatesTokenCount", "number"],
    ["totalTokenCount", "number"],
  ]),
  hidden: new Set<string>(),
};

/**
 * `text` is the short way to say something else: it counts where the candidates do not speak for themselves, being left
 * out, empty or as they were. Then it takes the place of the first candidate's text, and calls and thoughts stay.
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
  // A plain object may carry as fields what the class computes; copied, they would tell of the old candidates.
  const kept = Object.entries(base).filter(([key]) => !(key in made));
  return Object.assign(made, Object.fromEntries(kept), fields);
}

function prototypeFor(base: GenerateContentResponse): object {
  const prototype: unknown = Object.getPrototypeOf(base);
  return isRecord(prototype) && "functionCalls" in prototype ? prototype : HookResponse.prototype;
}
