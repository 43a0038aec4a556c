import type { Content, ContentListUnion, PartUnion } from "@google/genai";
import { isRecord } from "../answer.ts";
import { type HookMessage, type HookPart, isPlainText, partsOf, toHookPart } from "./hookPart.ts";
import { mergeList } from "./mergeList.ts";
import { mergeParts, replaceText } from "./mergeParts.ts";
import type { OriginalParts } from "./originalParts.ts";
import { sameJson } from "./sameJson.ts";

/** All forms of `contents` as a list, read as the SDK reads them: a list of parts is one content of the user. */
export function listContents(contents: ContentListUnion | undefined): readonly Content[] {
  if (contents === undefined || contents === null) return [];
  if (!Array.isArray(contents)) return [asContent(contents)];
  const items: readonly (Content | PartUnion)[] = contents;
  if (items.length > 0 && !items.some(isContent)) return [asContent(items)];
  return items.map(asContent);
}

/** A content stays the object it is. */
export function asContent(content: Content | PartUnion | readonly (Content | PartUnion)[]): Content {
  if (isContent(content)) return content;
  const parts = (Array.isArray(content) ? content : [content]).filter((part) => part !== null && part !== undefined);
  return { role: "user", parts: parts.map((part) => (typeof part === "string" ? { text: part } : part)) };
}

export function isContent(value: unknown): value is Content {
  return isRecord(value) && ("parts" in value || "role" in value);
}

/** Roles that the contract does not know (`function`, none) are the user's side. */
export function toHookMessage(content: Content): HookMessage {
  return { role: content.role === "model" ? "model" : "user", content: toHookContent(content) };
}

export function toHookContent(content: Content): HookMessage["content"] {
  const parts = partsOf(content);
  let text = "";
  for (const part of parts) {
    if (!isPlainText(part)) return parts.map(toHookPart);
    text = text === "" ? part.text : text + part.text;
  }
  return text;
}

interface MessagesChange {
  readonly originals: readonly Content[];
  readonly show: (content: Content) => HookMessage;
  readonly answered: readonly HookMessage[];
  readonly known: OriginalParts;
}

/** The contents as the answered messages have them; without a change, the same list. */
export function mergeMessages({ originals, show, answered, known }: MessagesChange): readonly Content[] {
  return mergeList({
    originals,
    show,
    answered,
    same: sameMessage,
    key: ({ content }) => (typeof content === "string" ? content : partsKey(content)),
    edit: (content, message) => editContent(content, { message, shownRole: show(content).role, known }),
    add: (message) => buildContent(message, known),
  });
}

function partsKey(parts: readonly HookPart[]): string {
  // A name may be anything that JSON can say, also an object that cannot be turned into a string.
  return parts.map(({ type, name }) => (typeof name === "string" ? `${type} ${name}` : type)).join();
}

function sameMessage(shown: HookMessage, message: HookMessage): boolean {
  return shown.role === message.role && sameJson(shown.content, message.content);
}

function editContent(
  content: Content,
  edit: { message: HookMessage; shownRole: string; known: OriginalParts },
): Content {
  const { message, shownRole, known } = edit;
  const before = partsOf(content);
  const parts =
    typeof message.content === "string"
      ? replaceText(before, message.content)
      : mergeParts(before, message.content, known);
  if (parts === before && message.role === shownRole) return content;
  const role = message.role === shownRole ? {} : { role: message.role };
  return { ...content, ...role, parts: [...parts] };
}

function buildContent({ role, content }: HookMessage, known: OriginalParts): Content {
  return { role, parts: typeof content === "string" ? [{ text: content }] : [...mergeParts([], content, known)] };
}
