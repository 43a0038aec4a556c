import type { Content, ContentListUnion, ContentUnion, Part } from "../sdkTypes.ts";
import { asContent, isContent, listContents, mergeMessages, toHookContent, toHookMessage } from "./hookMessages.ts";
import { type HookMessage, partsOf } from "./hookPart.ts";
import { originalParts } from "./originalParts.ts";
import { readMessages, splitInstruction } from "./readMessages.ts";

/** What is said to the model. */
interface Prompt {
  readonly contents: ContentListUnion;
  readonly systemInstruction: ContentUnion | undefined;
}

/** The system instruction, if there is one, is the first message. */
export function toHookMessages({ contents, systemInstruction }: Prompt): HookMessage[] {
  return [...listInstruction(systemInstruction).map(toSystemMessage), ...listContents(contents).map(toHookMessage)];
}

/** The prompt as answered. The conversation is compared without the instruction: one that comes or goes shifts nothing. */
export function mergePrompt(answered: unknown, base: Prompt): Prompt {
  const messages = readMessages(answered, toHookMessages(base));
  // A half-understood conversation is worse than the one the agent had.
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
  // Models refuse an instruction that says nothing; a hook that empties it removes it.
  if (parts.every(({ text }) => text === "")) return undefined;
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
