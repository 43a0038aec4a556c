import type { Content, ContentListUnion, ContentUnion, Part } from "../sdkTypes.ts";
import { asContent, isContent, listContents, mergeMessages, toHookContent, toHookMessage } from "./hookMessages.ts";
import { type HookMessage, partsOf } from "./hookPart.ts";
import { originalParts } from "./originalParts.ts";
import { readMessages, splitInstruction } from "./readMessages.ts";

/** The input of the model. */
interface Prompt {
  readonly contents: ContentListUnion;
  readonly systemInstruction: ContentUnion | undefined;
}

/** The system instruction, if there is one, is the first message. */
export function toHookMessages({ contents, systemInstruction }: Prompt): HookMessage[] {
  return [...listInstruction(systemInstruction).map(toSystemMessage), ...listContents(contents).map(toHookMessage)];
}

/** The answered prompt. Compares the conversation without the instruction: adding or removing it shifts nothing. */
export function mergePrompt(answered: unknown, base: Prompt): Prompt {
  const messages = readMessages(answered, toHookMessages(base));
  // A partly understood conversation is worse than the agent's own.
  if (messages === undefined) return base;
  const [front, rest] = splitInstruction(messages);
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

function listInstruction(instruction: ContentUnion | undefined): readonly Content[] {
  return instruction === undefined || instruction === null ? [] : [asContent(instruction)];
}

function toSystemMessage(content: Content): HookMessage {
  return { role: "system", ...toHookContent(content) };
}

function joinInstruction(before: ContentUnion | undefined, contents: readonly Content[]): ContentUnion | undefined {
  const parts = contents.flatMap(partsOf);
  // Models refuse an empty instruction; a hook that empties it removes it.
  if (parts.every(({ text }) => text === "")) return undefined;
  if (isContent(before)) return { ...before, parts };
  const text = onlyText(parts);
  return text !== undefined && (before === undefined || typeof before === "string") ? text : parts;
}

/** Keeps a changed prompt a string, or a single content, if it was one and still can be. */
function inFormOf(before: ContentListUnion, contents: readonly Content[]): ContentListUnion {
  const [only] = contents;
  if (Array.isArray(before) || contents.length !== 1 || only === undefined) return [...contents];
  const text = only.role === "user" ? onlyText(partsOf(only)) : undefined;
  return typeof before === "string" && text !== undefined ? text : only;
}

/** The text of parts that consist of a single text. */
function onlyText(parts: readonly Part[]): string | undefined {
  const [part] = parts;
  return parts.length === 1 && part !== undefined && Object.keys(part).length === 1 ? part.text : undefined;
}
