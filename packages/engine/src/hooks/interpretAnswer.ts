import type { EventSpec } from "../events/eventSpec.ts";
import { type Answer, isRecord, NO_ANSWER, objectionOnly, objects } from "./answer.ts";
import { ANSWER_FIELDS, type Draft } from "./answerFields.ts";
import type { Reading } from "./readEnding.ts";
import type { AnsweringHook } from "./readSignals.ts";
import type { Fields } from "./rewrites.ts";

/** An answer, and what of it was not honoured and why. */
export interface Interpretation {
  readonly answer: Answer | undefined;
  readonly ignored: readonly string[];
  /** The hook itself said that it failed (`error` of the ability vocabulary). */
  readonly reportedError?: string | undefined;
}

const NOTHING: Interpretation = { answer: undefined, ignored: [] };

/** Turns what was read into an answer to this event. A failure leaves only the objection standing. */
export function interpretAnswer(reading: Reading, spec: EventSpec, hook: AnsweringHook): Interpretation {
  const { value, text, exitTwo, failure } = reading;
  if (exitTwo === undefined && value === undefined) {
    return text === undefined || failure ? NOTHING : { answer: textAnswer(text, spec), ignored: [] };
  }
  const ignored: string[] = [];
  const given = readObject(value ?? {}, { spec, hook, ignored });
  const blocked = exitTwo ? withExitTwo(given, exitTwo.reason ?? `Blocked by hook "${hook.name}"`) : given;
  const answer = withinPowers(blocked, spec, ignored);
  const reportedError = spec.vocabulary === "ability" ? readError(value?.error) : undefined;
  if (!failure && reportedError === undefined) return { answer, ignored };
  return { answer: objects(answer) ? objectionOnly(answer) : undefined, ignored, reportedError };
}

function textAnswer(text: string, spec: EventSpec): Answer {
  return spec.vocabulary === "ability" ? { ...NO_ANSWER, logs: [text] } : { ...NO_ANSWER, messages: [text] };
}

/** Exit code 2 blocks, whatever else was printed. */
function withExitTwo(answer: Answer, reason: string): Answer {
  return { ...answer, blocks: true, allows: false, reasons: [reason] };
}

/** Read loosely: each field by its own rule, unknown and bad ones dropped and reported; `null` is absent. */
function readObject(value: Fields, context: { spec: EventSpec; hook: AnsweringHook; ignored: string[] }): Answer {
  const draft: Draft = { ...NO_ANSWER };
  for (const key in value) {
    const field = value[key];
    if (field === null || field === undefined) continue;
    const read = ANSWER_FIELDS.get(key);
    if (read) read(draft, field, context);
    else context.ignored.push(`${key} is no field of an answer`);
  }
  return draft;
}

/** What this event cannot do is ignored and said; an ask it cannot put to a person counts as a block. */
function withinPowers(answer: Answer, spec: EventSpec, ignored: string[]): Answer {
  if (!objects(answer)) return answer;
  const mayBlock = "block" in spec.may;
  const mayStop = "stop" in spec.may;
  const mayAsk = "ask" in spec.may;
  const askBlocks = answer.asks && !mayAsk && mayBlock;
  const lost = [
    ...(answer.blocks && !mayBlock ? ["a block"] : []),
    ...(answer.stops && !mayStop ? ["continue: false"] : []),
    ...(answer.asks && !mayAsk && !mayBlock ? ["an ask"] : []),
  ];
  if (lost.length > 0) ignored.push(`this event does not honour ${lost.join(" and ")}`);
  return {
    ...answer,
    blocks: (answer.blocks && mayBlock) || askBlocks,
    stops: answer.stops && mayStop,
    asks: answer.asks && mayAsk,
  };
}

function readError(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) return typeof value === "string" ? value : "an error";
  return [value.code, value.message].filter((part) => typeof part === "string").join(": ") || "an error";
}
