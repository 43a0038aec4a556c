import { isRecord } from "../answer/answer.ts";
import { type HookMessage, type HookPart, readHookPart } from "./hookPart.ts";
import { mergeList } from "./mergeList.ts";
import { sameJson } from "./sameJson.ts";

/** A message of an answer, possibly without the parts that it was shown with. */
interface GivenMessage {
  readonly role: HookMessage["role"];
  readonly content: string;
  readonly parts?: readonly HookPart[] | undefined;
}

/**
 * The messages of an answer, with `content` and `parts` made consistent; undefined if one of them cannot be read. System messages at the
 * front are the system instruction: a list without one keeps it. Further back, a system message becomes the user's, because no model
 * accepts one there.
 */
export function readMessages(answered: unknown, shown: readonly HookMessage[]): readonly HookMessage[] | undefined {
  const given = Array.isArray(answered) ? allOf(answered, readMessage) : undefined;
  if (given === undefined) return undefined;
  const [front, rest] = splitInstruction(given);
  const [shownFront, shownRest] = splitInstruction(shown);
  const instruction = front.length === 0 ? shownFront : front.some(saysSomething) ? settle(front, shownFront) : REMOVED;
  return [...instruction, ...settle(rest.map(saidByUser), shownRest)];
}

/** The system messages at the front, and the conversation. */
export function splitInstruction<Message extends GivenMessage>(
  messages: readonly Message[],
): [readonly Message[], readonly Message[]] {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? [messages, []] : [messages.slice(0, first), messages.slice(first)];
}

/** Whether only the text of the message changed. */
export function isTextChange({ content, parts }: HookMessage, shown: HookMessage): boolean {
  if (parts === undefined || shown.parts === undefined) return parts === shown.parts;
  return sameJson(parts, withText(shown.parts, content));
}

export function sameMessage(shown: GivenMessage, { role, content, parts }: GivenMessage): boolean {
  return shown.role === role && shown.content === content && sameParts(parts, shown.parts);
}

/** For a hook that returns texts only: the parts that it left out are unchanged. */
function sameText(shown: GivenMessage, { role, content }: GivenMessage): boolean {
  return shown.role === role && shown.content === content;
}

/** Whether the hook left out the parts of messages that it returned. If it only removed messages, the others have none. */
function leavesOutParts(given: readonly GivenMessage[], shown: readonly HookMessage[]): boolean {
  if (given.some(({ parts }) => parts !== undefined)) return false;
  const plain = new Set(shown.flatMap((message) => (message.parts ? [] : `${message.role} ${message.content}`)));
  return given.some(({ role, content }) => !plain.has(`${role} ${content}`));
}

function settle(given: readonly GivenMessage[], shown: readonly HookMessage[]): readonly HookMessage[] {
  return mergeList<HookMessage, GivenMessage>({
    originals: shown,
    show: (message) => message,
    answered: given,
    same: leavesOutParts(given, shown) ? sameText : sameMessage,
    key: ({ content }) => content,
    edit: (before, message) => settleMessage(message, before),
    add: (message) => settleMessage(message, findSource(message, shown)),
  });
}

/**
 * Changed `parts` win over a changed `content`, unless their text is unchanged. A changed `content` replaces the text and keeps
 * the other parts.
 */
function settleMessage(message: GivenMessage, before: HookMessage | undefined): HookMessage {
  const { role, content } = message;
  let { parts } = message;
  if (parts !== undefined && !sameParts(parts, before?.parts)) {
    if (before?.parts !== undefined && textOf(parts) === before.content) parts = withText(parts, content);
    const text = textOf(parts);
    const isPlain = before?.parts === undefined && parts.every(isText);
    return isPlain ? { role, content: text } : { role, content: text, parts: [...parts] };
  }
  return before?.parts === undefined ? { role, content } : { role, content, parts: withText(before.parts, content) };
}

/** If messages were also removed, a changed `content` next to the parts of an original is a change of that original. */
function findSource({ parts }: GivenMessage, shown: readonly HookMessage[]): HookMessage | undefined {
  return parts && shown.find((message) => message.parts !== undefined && sameParts(parts, message.parts));
}

function readMessage(value: unknown): GivenMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { role, content } = value;
  if (role !== "user" && role !== "model" && role !== "system") return undefined;
  const list = Array.isArray(content) ? content : value.parts;
  const parts = Array.isArray(list) ? allOf(list, readHookPart) : undefined;
  if (Array.isArray(list) && parts === undefined) return undefined;
  if (parts) return { role, content: typeof content === "string" ? content : textOf(parts), parts };
  return typeof content === "string" ? { role, content } : undefined;
}

/** An empty system message removes the instruction, and marks that until the request is assembled. */
const REMOVED: readonly HookMessage[] = [{ role: "system", content: "" }];
const saysSomething = ({ content, parts }: GivenMessage) => content !== "" || (parts?.length ?? 0) > 0;

function saidByUser<Message extends GivenMessage>(message: Message): Message {
  return message.role === "system" ? { ...message, role: "user" } : message;
}

/** Replaces the text of all text parts, at the position of the first, or at the end. */
function withText(parts: readonly HookPart[], text: string): HookPart[] {
  const first = parts.findIndex(isText);
  if (textOf(parts) === text) return [...parts];
  if (first === -1) return [...parts, { type: "text", text }];
  return parts.flatMap((part, index) => (index === first ? [{ ...part, text }] : isText(part) ? [] : [part]));
}

export function textOf(parts: readonly HookPart[]): string {
  return parts.reduce((text, part) => (isText(part) ? text + part.text : text), "");
}

const isText = ({ type, text }: HookPart) => type === "text" && typeof text === "string";

function sameParts(parts: readonly HookPart[] = [], shown: readonly HookPart[] = []): boolean {
  return parts === shown || sameJson(parts, shown);
}

/** Reads all of them; undefined if one cannot be read. */
function allOf<Read>(values: readonly unknown[], read: (value: unknown) => Read | undefined): Read[] | undefined {
  const all: Read[] = [];
  for (const value of values) {
    const one = read(value);
    if (one === undefined) return undefined;
    all.push(one);
  }
  return all;
}
