import { isRecord } from "../answer/answer.ts";
import type { Fields } from "../run/rewrites.ts";
import type { Part } from "../sdkTypes.ts";
import { type HookPart, isHookPart, isPlainText, PART_KINDS, toHookPart } from "./hookPart.ts";
import { mergeList } from "./mergeList.ts";
import type { OriginalParts } from "./originalParts.ts";
import { sameJson } from "./sameJson.ts";

/** The parts of the answer; an unchanged part is the original, including its hidden fields. */
export function mergeParts(
  originals: readonly Part[],
  answered: readonly HookPart[],
  known: OriginalParts,
): readonly Part[] {
  return mergeList({
    originals,
    show: toHookPart,
    answered,
    same: sameJson,
    key: ({ type }) => type,
    edit: (original, part) => known.find(part) ?? editPart(original, part, known),
    add: (part) => known.find(part) ?? buildPart(part, known),
  });
}

/** Replaces the text of all plain text parts, at the position of the first; everything else stays in place. */
export function replaceText(parts: readonly Part[], text: string): readonly Part[] {
  const first = parts.findIndex(isPlainText);
  if (plainText(parts) === text) return parts;
  // Append, so that nothing else moves.
  if (first === -1) return [...parts, { text }];
  return parts.flatMap((part, index) => {
    if (index === first) return [{ ...part, text }];
    if (!isPlainText(part)) return [part];
    // The last part of an answer often has no text and carries the signature.
    return hidesMore(part) ? [{ ...part, text: "" }] : [];
  });
}

function hidesMore(part: Part): boolean {
  const { text: _text, thought: _thought, ...hidden } = part;
  return Object.values(hidden).some((value) => value !== undefined && value !== null);
}

export function plainText(parts: readonly Part[]): string {
  return parts.reduce((text, part) => (isPlainText(part) ? text + part.text : text), "");
}

export function buildPart(part: HookPart, known: OriginalParts): Part | undefined {
  const { type, text } = part;
  if (type === "text") return typeof text === "string" ? { text } : undefined;
  if (type === "thought") return typeof text === "string" ? { text, thought: true } : undefined;
  const data = readData(part, undefined, known);
  const complete = data && PART_KINDS.get(type)?.needs.every((field) => data[field] !== undefined);
  // Drop an incomplete part: missing bytes, or a call without a function, would fail at the model.
  return complete ? sdkPart({ [type]: data }) : undefined;
}

/** Changes only what the answer names; an answer of another kind replaces the original. */
function editPart(original: Part, part: HookPart, known: OriginalParts): Part | undefined {
  const shown = toHookPart(original);
  if (part.type !== shown.type) return buildPart(part, known);
  const edited: Record<string, unknown> = { ...original };
  if (typeof shown.text === "string" && typeof part.text === "string") edited.text = part.text;
  const before = edited[part.type];
  if (isRecord(before)) edited[part.type] = mergeData(before, part, known);
  return edited.text === original.text && edited[part.type] === before ? original : sdkPart(edited);
}

function mergeData(before: Fields, part: HookPart, known: OriginalParts): Fields {
  const data = readData(part, before, known);
  // Unreadable data changes nothing, and bytes cannot be redescribed without new bytes.
  if (data === undefined || (part.type === "inlineData" && data.data === undefined)) return before;
  const changed = Object.entries(data).filter(([field, value]) => !sameJson(before[field], value));
  return changed.length === 0 ? before : { ...before, ...Object.fromEntries(changed) };
}

/** The data of the answer, without foreign keys; undefined for an unknown kind or a field of the wrong type. */
function readData(part: HookPart, before: Fields | undefined, known: OriginalParts): Fields | undefined {
  const kind = PART_KINDS.get(part.type);
  if (kind === undefined) return undefined;
  const data: Record<string, unknown> = {};
  for (const [field, type] of Object.entries(kind.fields)) {
    const value = part[field];
    if (value === undefined || value === null) continue;
    const fits =
      type === "object" ? isRecord(value) : typeof value === "string" && (type === "text" || isBase64(value));
    if (!fits) return undefined;
    data[field] = value;
  }
  if (part.type === "functionResponse" && Array.isArray(part.parts)) {
    const originals = Array.isArray(before?.parts) ? before.parts : [];
    const media = mergeParts(originals, part.parts.filter(isHookPart), known);
    data.parts = media.filter(({ inlineData, fileData }) => inlineData !== undefined || fileData !== undefined);
  }
  return data;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** The only cast: the SDK's enums are plain strings in JSON, and every field was read by its type. */
function sdkPart(fields: Fields): Part {
  return fields as Part;
}
