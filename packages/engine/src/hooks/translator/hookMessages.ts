import { isRecord } from "../answer/answer.ts";
import type { Content, ContentListUnion, PartUnion } from "../sdkTypes.ts";
import { type HookMessage, isPlainText, partsOf, toHookPart } from "./hookPart.ts";
import { mergeList } from "./mergeList.ts";
import { mergeParts, replaceText } from "./mergeParts.ts";
import type { OriginalParts } from "./originalParts.ts";
import { isTextChange, sameMessage } from "./readMessages.ts";

/** Converts all forms of `contents` to a list, like the SDK: a list of parts is one content of the user. */
export function listContents(contents: ContentListUnion | undefined): readonly Content[] {
  if (contents === undefined || contents === null) return [];
  if (!Array.isArray(contents)) return [asContent(contents)];
  const items: readonly (Content | PartUnion)[] = contents;
  if (items.length > 0 && !items.some(isContent)) return [asContent(items)];
  return items.map(asContent);
}

/** Returns a content unchanged. */
export function asContent(content: Content | PartUnion | readonly (Content | PartUnion)[]): Content {
  if (isContent(content)) return content;
  const parts = (Array.isArray(content) ? content : [content]).filter((part) => part !== null && part !== undefined);
  return { role: "user", parts: parts.map((part) => (typeof part === "string" ? { text: part } : part)) };
}

export function isContent(value: unknown): value is Content {
  return isRecord(value) && ("parts" in value || "role" in value);
}

/** Roles unknown to the contract (`function`, none) become the user's. */
export function toHookMessage(content: Content): HookMessage {
  return { role: content.role === "model" ? "model" : "user", ...toHookContent(content) };
}

export function toHookContent(content: Content): Pick<HookMessage, "content" | "parts"> {
  const parts = partsOf(content);
  let text = "";
  let isText = true;
  for (const part of parts) {
    if (!isPlainText(part)) isText = false;
    else text = text === "" ? part.text : text + part.text;
  }
  return isText ? { content: text } : { content: text, parts: parts.map(toHookPart) };
}

interface MessagesChange {
  readonly originals: readonly Content[];
  readonly show: (content: Content) => HookMessage;
  /** From `readMessages`. */
  readonly answered: readonly HookMessage[];
  readonly known: OriginalParts;
}

/** The contents for the answered messages; without a change, the same list. */
export function mergeMessages({ originals, show, answered, known }: MessagesChange): readonly Content[] {
  return mergeList<Content, HookMessage>({
    originals,
    show,
    answered,
    same: sameMessage,
    key: ({ content }) => content,
    edit: (content, message) => editContent(content, { message, shown: show(content), known }),
    add: ({ role, content, parts }) => ({
      role,
      parts: parts === undefined ? [{ text: content }] : [...mergeParts([], parts, known)],
    }),
  });
}

function editContent(
  content: Content,
  edit: { message: HookMessage; shown: HookMessage; known: OriginalParts },
): Content {
  const { message, shown, known } = edit;
  const before = partsOf(content);
  const parts = isTextChange(message, shown)
    ? replaceText(before, message.content)
    : mergeParts(before, message.parts ?? [{ type: "text", text: message.content }], known);
  if (parts === before && message.role === shown.role) return content;
  const role = message.role === shown.role ? {} : { role: message.role };
  return { ...content, ...role, parts: [...parts] };
}
