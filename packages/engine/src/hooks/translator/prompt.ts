import type { Content, ContentListUnion, ContentUnion, Part } from "@google/genai";
import { isRecord } from "../answer.ts";
import { asContent, isContent, listContents, mergeMessages, toHookContent, toHookMessage } from "./hookMessages.ts";
import { type HookMessage, partsOf } from "./hookPart.ts";
import { isHookPart } from "./mergeParts.ts";
import { originalParts } from "./originalParts.ts";

/** What is said to the model. */
interface Prompt {
  readonly contents: ContentListUnion;
  readonly systemInstruction: ContentUnion | undefined;
}

/** The system instruction, if there is one, is the first message. */
export function toHookMessages({ contents, systemInstruction }: Prompt): HookMessage[] {
  return [...listInstruction(systemInstruction).map(toSystemMessage), ...listContents(contents).map(toHookMessage)];
}

/**
 * System messages at the front are the system instruction: none removes it, several are joined as its parts. The SDK
 * knows that role nowhere else, so there a system message becomes the user's. The conversation is compared without them:
 * an instruction that comes or goes shifts nothing.
 */
export function mergePrompt(answered: unknown, base: Prompt): Prompt {
  // A half-understood conversation is worse than the one the agent had.
  if (!isMessageList(answered)) return base;
  const firstOther = answered.findIndex(({ role }) => role !== "system");
  const front = firstOther === -1 ? answered : answered.slice(0, firstOther);
  const rest = answered.slice(front.length).map(saidByUser);

  const instruction = listInstruction(base.systemInstruction);
  const contents = listContents(base.contents);
  const known = originalParts([...instruction, ...contents]);
  const newInstruction = mergeMessages({ originals: instruction, show: toSystemMessage, answered: front, known });
  const newContents = mergeMessages({ originals: contents, show: toHookMessage, answered: rest, known });
  return {
    contents: newContents === contents ? base.contents : inFormOf(base.contents, newContents),
    systemInstruction:
      newInstruction === instruction ? base.systemInstruction : joinInstruction(base.systemInstruction, newInstruction),
  };
}

function isMessageList(value: unknown): value is readonly HookMessage[] {
  return Array.isArray(value) && value.every(isMessage);
}

function isMessage(value: unknown): value is HookMessage {
  if (!isRecord(value)) return false;
  const { role, content } = value;
  if (role !== "user" && role !== "model" && role !== "system") return false;
  return typeof content === "string" || (Array.isArray(content) && content.every(isHookPart));
}

function listInstruction(instruction: ContentUnion | undefined): readonly Content[] {
  return instruction === undefined || instruction === null ? [] : [asContent(instruction)];
}

function toSystemMessage(content: Content): HookMessage {
  return { role: "system", content: toHookContent(content) };
}

function saidByUser(message: HookMessage): HookMessage {
  return message.role === "system" ? { ...message, role: "user" } : message;
}

function joinInstruction(before: ContentUnion | undefined, contents: readonly Content[]): ContentUnion | undefined {
  const parts = contents.flatMap(partsOf);
  // The SDK refuses an instruction without parts.
  if (parts.length === 0) return undefined;
  if (isContent(before)) return { ...before, parts };
  const text = onlyText(parts);
  return text !== undefined && (before === undefined || typeof before === "string") ? text : parts;
}

/** A changed prompt stays a string, or a single content, where it was one and still can be. */
function inFormOf(before: ContentListUnion, contents: readonly Content[]): ContentListUnion {
  const [only] = contents;
  if (Array.isArray(before) || contents.length !== 1 || only === undefined) return [...contents];
  const text = only.role === "user" ? onlyText(partsOf(only)) : undefined;
  return typeof before === "string" && text !== undefined ? text : only;
}

/** The text of parts that are nothing but one text. */
function onlyText(parts: readonly Part[]): string | undefined {
  const [part] = parts;
  return parts.length === 1 && part !== undefined && Object.keys(part).length === 1 ? part.text : undefined;
}
