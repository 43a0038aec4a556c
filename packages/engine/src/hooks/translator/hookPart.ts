import type { LLMRequest } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { Fields } from "../run/rewrites.ts";
import type { Content, Part } from "../sdkTypes.ts";

export type HookMessage = LLMRequest["messages"][number];
/** A part as hooks see it. */
export type HookPart = NonNullable<HookMessage["parts"]>[number];

interface PartKind {
  readonly fields: Readonly<Record<string, "text" | "object" | "bytes">>;
  /** Required to build a new one. */
  readonly needs: readonly string[];
}

/** The data a part can carry, with the fields that hooks see and may set. All other fields stay in the original, hidden from hooks. */
export const PART_KINDS: ReadonlyMap<string, PartKind> = new Map<keyof Part, PartKind>([
  ["functionCall", { fields: { id: "text", name: "text", args: "object" }, needs: ["name"] }],
  ["functionResponse", { fields: { id: "text", name: "text", response: "object" }, needs: ["name"] }],
  ["inlineData", { fields: { mimeType: "text", displayName: "text", data: "bytes" }, needs: ["mimeType", "data"] }],
  ["fileData", { fields: { fileUri: "text", mimeType: "text", displayName: "text" }, needs: ["fileUri"] }],
  ["executableCode", { fields: { id: "text", language: "text", code: "text" }, needs: ["language", "code"] }],
  ["codeExecutionResult", { fields: { id: "text", outcome: "text", output: "text" }, needs: ["outcome"] }],
  ["toolCall", { fields: { id: "text", toolType: "text", args: "object" }, needs: ["toolType"] }],
  ["toolResponse", { fields: { id: "text", toolType: "text", response: "object" }, needs: ["toolType"] }],
]);

const NOT_DATA = new Set(["text", "thought", "thoughtSignature"]);

/** Everything except bytes and signatures, which are useless to a reader. */
export function toHookPart(part: Part): HookPart {
  const fields: Fields = isRecord(part) ? part : {};
  const kind = dataKind(fields);
  if (kind !== undefined) return toDataPart(kind, fields);
  if (typeof fields.text === "string") return { type: fields.thought === true ? "thought" : "text", text: fields.text };
  // A kind unknown to this version: its fields may contain bytes, so show only their names.
  return { type: "other", fields: Object.keys(fields).filter((key) => !NOT_DATA.has(key) && fields[key] != null) };
}

export function partsOf(content: Content | null | undefined): readonly Part[] {
  return Array.isArray(content?.parts) ? content.parts : [];
}

/** Spoken text: not a thought, and without other data. */
export function isPlainText(part: Part): part is Part & { text: string } {
  const fields: Fields = isRecord(part) ? part : {};
  return typeof fields.text === "string" && fields.thought !== true && dataKind(fields) === undefined;
}

/** Reads a part of an answer, also in the SDK's own shape; undefined if it is not a part. */
export function readHookPart(value: unknown): HookPart | undefined {
  if (!isRecord(value)) return undefined;
  if (isHookPart(value)) return value;
  const kind = dataKind(value);
  if (kind !== undefined) return { ...(isRecord(value[kind]) ? value[kind] : {}), type: kind };
  const { text, thought } = value;
  return typeof text === "string" ? { type: thought === true ? "thought" : "text", text } : undefined;
}

export function isHookPart(value: unknown): value is HookPart {
  return isRecord(value) && typeof value.type === "string";
}

function dataKind(fields: Fields): string | undefined {
  for (const key in fields) if (PART_KINDS.has(key) && isRecord(fields[key])) return key;
  return undefined;
}

function toDataPart(kind: string, part: Fields): HookPart {
  const shown: HookPart = { type: kind };
  const data = part[kind];
  if (!isRecord(data)) return shown;
  for (const [field, type] of Object.entries(PART_KINDS.get(kind)?.fields ?? {})) {
    const value = data[field];
    if (type === "bytes") shown.bytes = byteCount(value);
    else if (type === "text" ? typeof value === "string" : isRecord(value)) shown[field] = value;
  }
  // A function response may contain media.
  if (kind === "functionResponse" && Array.isArray(data.parts)) shown.parts = data.parts.map(toHookPart);
  // If a provider puts text next to the data, a guard must see it.
  if (typeof part.text === "string") shown.text = part.text;
  return shown;
}

function byteCount(base64: unknown): number {
  if (typeof base64 !== "string") return 0;
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}
