import type { EventSpec } from "../events/eventSpec.ts";
import { type Answer, isRecord, NO_ANSWER, objectionOnly, objects } from "./answer.ts";
import { readDecision } from "./readDecision.ts";
import type { Reading } from "./readEnding.ts";
import { type AnsweringHook, readSignals } from "./readSignals.ts";
import { readSpecific } from "./readSpecific.ts";
import type { Fields } from "./rewrites.ts";

/** An answer, and what of it was not honoured and why. */
export interface Interpretation {
  readonly answer: Answer | undefined;
  readonly ignored: readonly string[];
  /** The hook itself said that it failed (`error` of the ability vocabulary). */
  readonly reportedError?: string | undefined;
}

const NOTHING: Interpretation = { answer: undefined, ignored: [] };
const NO_TEXTS: readonly string[] = [];
const NO_FIELDS: Fields = {};

/** Turns what was read into an answer to this event. A failure leaves only the objection standing. */
export function interpretAnswer(reading: Reading, spec: EventSpec, hook: AnsweringHook): Interpretation {
  const { value, text, exitTwo, failure } = reading;
  if (exitTwo === undefined && value === undefined) {
    return text === undefined || failure ? NOTHING : { answer: textAnswer(text, spec), ignored: [] };
  }
  const ignored: string[] = [];
  const given = readObject(value ?? NO_FIELDS, spec, hook, ignored);
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

/** The fields of both vocabularies, read loosely: a bad optional field is dropped and reported. */
function readObject(value: Fields, spec: EventSpec, hook: AnsweringHook, ignored: string[]): Answer {
  const specific = readSpecific(value, spec, ignored);
  const { decision, reason } = readDecision(value, ignored);
  const signals = readSignals(value.hook_signals ?? undefined, spec, hook);
  if (signals.ignored.length > 0) ignored.push(...signals.ignored);
  const reasons = list(textField(value, "reason", ignored) ?? reason);
  return {
    blocks: decision === "deny" || decision === "block" || signals.denies,
    stops: flagField(value, "continue", ignored) === false,
    asks: decision === "ask" || signals.asks,
    allows: decision === "allow" || decision === "approve",
    stopReasons: list(textField(value, "stopReason", ignored)),
    reasons: signals.reasons.length > 0 ? [...reasons, ...signals.reasons] : reasons,
    messages: list(textField(value, "systemMessage", ignored)),
    contexts: specific.contexts,
    suppressOutput: flagField(value, "suppressOutput", ignored) === true,
    specific: specific.fields,
    rewrites: specific.rewrites,
    signals: signals.signals,
    logs: value.logs === undefined ? NO_TEXTS : readLogs(value.logs),
  };
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

function readLogs(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((line) => typeof line === "string") : NO_TEXTS;
}

function textField(value: Fields, key: string, ignored: string[]): string | undefined {
  const field = value[key];
  if (typeof field === "string") return field;
  if (field !== undefined && field !== null) ignored.push(`${key} is not text`);
  return undefined;
}

function flagField(value: Fields, key: string, ignored: string[]): boolean | undefined {
  const field = value[key];
  if (typeof field === "boolean") return field;
  if (field !== undefined && field !== null) ignored.push(`${key} is neither true nor false`);
  return undefined;
}

const list = (text: string | undefined) => (text ? [text] : NO_TEXTS);
