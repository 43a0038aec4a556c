import { spellsObjection } from "../../events/objectionPattern.ts";
import { kindOf } from "../../events/unwrapped.ts";
import type { Fields } from "../run/rewrites.ts";
import { type Failure, fieldOf, isRecord } from "./answer.ts";
import { encodedMembersIn, membersIn } from "./objectingMembers.ts";
import type { KeptMembers, Root } from "./objectTrack.ts";
import { scanObjects } from "./scanObjects.ts";
import { type SpelledObjection, spelledOutside } from "./spelledObjection.ts";

/** The content of a text. Only a text that is exactly one JSON object is an answer; in any other text only objections count. */
export interface TextReading {
  readonly value?: Fields;
  /** Objects in which only objections count. */
  readonly fragments?: readonly KeptMembers[];
  /** The complete objects among other text: an unclear verdict in them is a failure. */
  readonly roots?: readonly Fields[];
  /** Objections outside any readable object. */
  readonly spelled?: readonly SpelledObjection[];
  /** Text without any object. */
  readonly text?: string;
  readonly failure?: Failure;
  readonly warnings: readonly string[];
}

const NO_WARNINGS: readonly string[] = [];
export const NOTHING_READ: TextReading = { warnings: NO_WARNINGS };
export const MAX_TEXT = 10 * 1024;

/** Reads a JSON object, even if encoded twice, objects among other text, plain text, nothing, or rubbish. */
export function readText(raw: string): TextReading {
  const text = raw.trim(); // a byte order mark counts as space
  if (text === "") return NOTHING_READ;
  const parsed = parseJson(text);
  if (isRecord(parsed)) return readWhole(parsed, text);
  if (parsed === null) return NOTHING_READ;
  if (typeof parsed === "string") return readEncoded(parsed);
  if (parsed === undefined) return readLoosely(text);
  return { ...onlyObjections(readLoosely(text)), failure: notAnObject(parsed), warnings: NO_WARNINGS };
}

/** Reads only the objections in this text. */
export function objectionsIn(text: string): Pick<TextReading, "fragments" | "spelled"> {
  return onlyObjections(readText(text));
}

/** The same for a worker's line, whose output may itself be a text. */
export function objectionsInLine(line: string): Pick<TextReading, "fragments" | "spelled"> {
  const reading = readText(line);
  const outputs = [...(reading.value ? [reading.value] : []), ...(reading.roots ?? [])].map(({ output }) => output);
  const all = [reading, ...outputs.filter((output) => typeof output === "string").map(readText)].map(onlyObjections);
  return {
    fragments: all.flatMap(({ fragments = [] }) => fragments),
    spelled: all.flatMap(({ spelled = [] }) => spelled),
  };
}

function onlyObjections({ value, fragments = [], spelled }: TextReading): Pick<TextReading, "fragments" | "spelled"> {
  const all = value ? [...membersIn(value), ...fragments] : fragments;
  return { ...(all.length > 0 ? { fragments: all } : {}), ...(spelled ? { spelled } : {}) };
}

export function notAnObject(value: unknown): Failure {
  return bad(`answered with ${describeKind(value)}, not an object`);
}

function describeKind(value: unknown): string {
  if (value instanceof Error) return `an error (${String(fieldOf(value, "message")).slice(0, 200)})`;
  const kind = Array.isArray(value)
    ? "array"
    : typeof value === "object" && value !== null
      ? kindOf(value)
      : typeof value;
  return `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`;
}

export const bad = (message: string): Failure => ({ kind: "badAnswer", message });

/**
 * The objections in a text that repeats a field; `value` is its result from `JSON.parse`, which keeps the last of them. Text that a script
 * pastes into its JSON could thereby replace the script's own verdict.
 */
export function overwrittenIn(text: string, value: unknown): readonly KeptMembers[] {
  if (!spellsObjection(text)) return [];
  const { objects, roots } = scanObjects(text);
  const [whole] = roots;
  return whole && whole.pairs > countPairs(value) ? objects : [];
}

function countPairs(value: unknown): number {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const items: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += items.length;
    for (const item of items) open.push(item);
  }
  return count;
}

function readWhole(value: Fields, text: string): TextReading {
  const overwritten = overwrittenIn(text, value);
  return overwritten.length === 0
    ? { value, warnings: NO_WARNINGS }
    : { value, fragments: overwritten, warnings: ["the answer repeats a field: an objection in either counts"] };
}

function readEncoded(text: string): TextReading {
  const parsed = parseJson(text);
  if (isRecord(parsed)) return readWhole(parsed, text);
  const reading = readLoosely(typeof parsed === "string" ? parsed : text.trim());
  return parsed === undefined || typeof parsed === "string" || parsed === null
    ? reading
    : { ...reading, failure: notAnObject(parsed) };
}

function readLoosely(given: string): TextReading {
  const text = withoutColours(given);
  const { objects, roots } = scanObjects(text);
  const parsed = roots.map((root) => ({ root, value: parseJson(text.slice(root.start, root.end)) }));
  const whole = parsed.map(({ value }) => value).filter(isRecord);
  const alone = parsed.filter(({ root, value }) => isRecord(value) && standsAlone(text, root));
  const spelled = spelledOutside(
    text,
    alone.map(({ root }) => root),
  );
  const isBroken =
    text.startsWith("{") && (roots[0]?.start !== 0 || parseJson(text.slice(0, roots[0].end)) === undefined);
  const failure = isBroken ? { failure: bad("printed an object that is not valid JSON") } : {};
  if (roots.length === 0 && objects.length === 0 && spelled.length === 0) {
    return {
      ...(isBroken || given === "" ? {} : { text: given.slice(0, MAX_TEXT) }),
      ...failure,
      warnings: NO_WARNINGS,
    };
  }
  const warning = `not exactly one JSON object, so only objections count: ${JSON.stringify(text.slice(0, 200))}`;
  return {
    fragments: [...objects, ...whole.flatMap(encodedMembersIn)],
    roots: whole,
    spelled,
    ...failure,
    warnings: [warning],
  };
}

/**
 * Whether there is nothing else on its lines. On a line with other text, foreign `{"a":"` and `"}` may enclose
 * what the hook says.
 */
function standsAlone(text: string, { start, end }: Root): boolean {
  return isLineEdge(text, start - 1, -1) && isLineEdge(text, end, 1);
}

function isLineEdge(text: string, from: number, step: 1 | -1): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at += step;
  return text[at] === undefined || text[at] === "\n";
}

/** Removes terminal colours and links, which may be between any two characters of JSON, and NUL from UTF-16. */
function withoutColours(text: string): string {
  const visible = text.includes(ESCAPE) ? text.replaceAll(SEQUENCE, "") : text;
  return visible.includes("\0") ? visible.replaceAll("\0", "") : visible;
}

const ESCAPE = "\u001b";
const SEQUENCE = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007${ESCAPE}]*(?:\u0007|${ESCAPE}\\\\))`, "g");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
