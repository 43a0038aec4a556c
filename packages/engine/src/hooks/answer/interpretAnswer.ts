import type { EventSpec } from "../../events/eventSpec.ts";
import { isPlain } from "../../events/unwrapped.ts";
import type { Fields } from "../run/rewrites.ts";
import { type Answer, type Failure, fieldOf, isRecord, NO_ANSWER, objectionOnly, objects } from "./answer.ts";
import {
  ANSWER_FIELDS,
  type Draft,
  type FieldContext,
  lookInside,
  OBJECTION_FIELDS,
  readsObjects,
} from "./answerFields.ts";
import { mayHoldObjection } from "./objectingMembers.ts";
import { addObjection, objectionsOf } from "./objections.ts";
import type { Reading } from "./readEnding.ts";
import { type AnsweringHook, SIGNAL_FIELDS } from "./readSignals.ts";
import { countsOn, type SpelledObjection } from "./spelledObjection.ts";
import { fieldNames, misspeltVerdict, quote, soundsLikeObjection, verdictProblem } from "./verdictWords.ts";

/** An answer, and which parts were not honoured and why. */
export interface Interpretation {
  readonly answer: Answer | undefined;
  /** The original answer, if it is one object. */
  readonly output?: Fields | undefined;
  readonly ignored: readonly string[];
  /** Set if the answer itself is a failure: it says so, or its verdict is unclear. */
  readonly failure?: Failure | undefined;
}

const NOTHING: Interpretation = { answer: undefined, ignored: [] };

/** Turns a reading into an answer to this event, as the hook saw it. After a failure only the objection remains. */
export function interpretAnswer(reading: Reading, spec: EventSpec, hook: AnsweringHook, seen?: Fields): Interpretation {
  const { value, text, exitTwo, failure, fragments, spelled } = reading;
  if (value === undefined && exitTwo === undefined && fragments === undefined && spelled === undefined) {
    return text === undefined || failure ? NOTHING : { answer: textAnswer(text, spec), ignored: [] };
  }
  const context: FieldContext = { spec, hook, seen, ignored: [], failures: [], hints: [] };
  const given = value === undefined ? NO_ANSWER : readObject(value, context);
  const objected = fragments ? addObjection(given, objectionsOf(fragments, spec, hook)) : given;
  const heard = spelled ? withSpelled(objected, spelled, spec) : objected;
  const blocked = exitTwo ? withExitTwo(heard, exitTwo.reason ?? `Blocked by hook "${hook.name}"`) : heard;
  const answer = withinPowers(blocked, spec, context.ignored);
  const hasVerdict = answer.allows || objects(answer);
  const found = failure ?? answerFailure(reading, context, hasVerdict);
  const { ignored } = context;
  // After a failure or exit code 2 the hook's own answer counts only if it objects.
  const output = (found || exitTwo) && !objects(heard) ? undefined : value;
  if (found) {
    const logs = found.kind === "reported" ? answer.logs.map((line) => `logged: ${line}`) : [];
    const objection = objects(answer) ? objectionOnly(answer) : undefined;
    return { answer: objection, output, ignored: [...ignored, ...logs], failure: found };
  }
  if (value !== undefined || objects(answer)) return { answer, output, ignored };
  return { answer: text === undefined ? undefined : textAnswer(text, spec), ignored };
}

function textAnswer(text: string, spec: EventSpec): Answer {
  return spec.vocabulary === "ability" ? { ...NO_ANSWER, logs: [text] } : { ...NO_ANSWER, messages: [text] };
}

/** Text that spells an objection blocks, unless an object says it better. */
function withSpelled(answer: Answer, spelled: readonly SpelledObjection[], spec: EventSpec): Answer {
  const found = objects(answer) ? undefined : spelled.find((objection) => countsOn(objection, spec));
  return found ? { ...answer, blocks: true, allows: false, reasons: [found.line] } : answer;
}

/** Exit code 2 blocks, whatever else was printed. */
function withExitTwo(answer: Answer, reason: string): Answer {
  return { ...answer, blocks: true, allows: false, reasons: [reason] };
}

/** Lenient, objections first: each field by its own rule; unknown and invalid ones are dropped and reported; `null` is absent. */
function readObject(value: Fields, context: FieldContext): Answer {
  const draft: Draft = { ...NO_ANSWER };
  const keys = fieldNames(value, OBJECTION_FIELDS);
  let others = 0;
  for (const key of keys) {
    if (OBJECTION_FIELDS.has(key)) readField(draft, key, value, context);
    else others += 1;
  }
  if (others === 0 && isPlain(value)) return draft; // the usual answer: a verdict and its reason
  if (fieldOf(value, "code") !== undefined) readLoneSignal(draft, value, context);
  for (const key of keys) if (!OBJECTION_FIELDS.has(key)) readField(draft, key, value, context);
  return draft;
}

/** A hook may print its signal without the list around it. */
function readLoneSignal(draft: Draft, value: Fields, { spec, hook }: FieldContext): void {
  const signal = Object.fromEntries(SIGNAL_FIELDS.map((key) => [key, fieldOf(value, key)]));
  Object.assign(draft, addObjection(draft, objectionsOf([signal], spec, hook)));
}

/** Drops a field whose getter or proxy throws; fields read earlier remain. */
function readField(draft: Draft, key: string, value: Fields, context: FieldContext): void {
  try {
    const field = value[key];
    if (field === null || field === undefined) return;
    const read = ANSWER_FIELDS.get(key);
    if (read) read(draft, field, context);
    else readUnknown(key, field, context);
    if (mayHoldObjection(field, key) && !(read && readsObjects(key))) lookInside(draft, field, context, key);
  } catch {
    context.ignored.push(`${key} cannot be read`);
  }
}

function readUnknown(key: string, field: unknown, { ignored, failures, hints }: FieldContext): void {
  ignored.push(`${key} is not a field of an answer`);
  const problem = verdictProblem(key, field);
  if (problem) failures.push(problem);
  if (soundsLikeObjection(key, field)) hints.push(`answered with "${key}": ${quote(field)} and without a decision`);
}

/** Ignores and reports what this event cannot do. An ask where no person can be asked, and a stop where nothing can be stopped, block. */
function withinPowers(answer: Answer, spec: EventSpec, ignored: string[]): Answer {
  if (!objects(answer)) return answer;
  const mayBlock = "block" in spec.may;
  const mayStop = "stop" in spec.may;
  const mayAsk = "ask" in spec.may;
  const askBlocks = answer.asks && !mayAsk && mayBlock;
  const stopBlocks = answer.stops && !mayStop && mayBlock;
  const lost = [
    ...(answer.blocks && !mayBlock ? ["a block"] : []),
    ...(answer.stops && !mayStop && !mayBlock ? ["continue: false"] : []),
    ...(answer.asks && !mayAsk && !mayBlock ? ["an ask"] : []),
  ];
  if (lost.length > 0) ignored.push(`this event does not honour ${lost.join(" and ")}`);
  return {
    ...answer,
    blocks: (answer.blocks && mayBlock) || askBlocks || stopBlocks,
    stops: answer.stops && mayStop,
    asks: answer.asks && mayAsk,
  };
}

function answerFailure(
  { value, roots = [], exitTwo }: Reading,
  { spec, failures, hints }: FieldContext,
  hasVerdict: boolean,
): Failure | undefined {
  const error = value && spec.vocabulary === "ability" ? fieldOf(value, "error") : undefined;
  const reported = readError(error);
  if (reported !== undefined) return { kind: "reported", message: `reported: ${reported}`, ...codeOf(error) };
  if (exitTwo) return undefined; // a verdict by itself
  const message = failures[0] ?? (hasVerdict ? undefined : hints[0]) ?? firstOf(roots, misspeltVerdict);
  return message === undefined ? undefined : { kind: "badAnswer", message };
}

function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function codeOf(error: unknown): Pick<Failure, "code"> {
  const code = isRecord(error) ? fieldOf(error, "code") : undefined;
  return typeof code === "string" && code !== "" ? { code } : {};
}

function readError(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) return typeof value === "string" ? value : "an error";
  const parts = [fieldOf(value, "code"), fieldOf(value, "message")];
  return parts.filter((part) => typeof part === "string").join(": ") || "an error";
}
