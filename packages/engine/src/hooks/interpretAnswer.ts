import type { EventSpec } from "../events/eventSpec.ts";
import { type Answer, isRecord, NO_ANSWER, objectionOnly, objects } from "./answer.ts";
import type { Reading } from "./readEnding.ts";
import { type AnsweringHook, readSignals } from "./readSignals.ts";

/** An answer, and what of it was not honoured and why. */
export interface Interpretation {
  readonly answer: Answer | undefined;
  readonly ignored: readonly string[];
  /** The hook itself said that it failed (`error` of the ability vocabulary). */
  readonly reportedError?: string;
}

/** Turns what was read into an answer to this event. A failure leaves only the objection standing. */
export function interpretAnswer(reading: Reading, spec: EventSpec, hook: AnsweringHook): Interpretation {
  const { value, text, exitTwo, failure } = reading;
  if (text !== undefined && exitTwo === undefined) return { answer: failure ? undefined : textAnswer(text, spec), ignored: [] };
  if (value === undefined && exitTwo === undefined) return { answer: undefined, ignored: [] };

  const reader = new AnswerReader(value ?? {});
  const signals = readSignals(reader.take("hook_signals"), spec, hook);
  reader.ignored.push(...signals.ignored);
  const reportedError = readError(reader.take("error"), spec);
  const given = readObject(reader, spec);
  const answer: Answer = {
    ...given,
    blocks: given.blocks || signals.denies || exitTwo !== undefined,
    asks: given.asks || signals.asks,
    reasons: exitTwo ? [exitTwo.reason ?? `Blocked by hook "${hook.name}"`] : [...given.reasons, ...signals.reasons],
    signals: signals.signals,
  };
  const limited = withinPowers(answer, spec, reader.ignored);
  if (failure || reportedError !== undefined) {
    const objection = objects(limited) ? objectionOnly(limited) : undefined;
    return { answer: objection, ignored: reader.ignored, ...(reportedError === undefined ? {} : { reportedError }) };
  }
  return { answer: limited, ignored: reader.ignored };
}

function textAnswer(text: string, spec: EventSpec): Answer {
  return spec.vocabulary === "ability"
    ? { ...NO_ANSWER, logs: [text] }
    : { ...NO_ANSWER, allows: true, messages: [text] };
}

/** The fields of both vocabularies, read loosely: a bad optional field is dropped and reported. */
function readObject(reader: AnswerReader, spec: EventSpec): Answer {
  const specific = new AnswerReader(reader.record("hookSpecificOutput") ?? {}, reader.ignored);
  moveAliases(reader, specific, spec);
  const decision = readDecision(reader, specific);
  const reason = reader.text("reason");
  const permissionReason = specific.text("permissionDecisionReason") ?? reader.text("permissionDecisionReason");
  const stopReason = reader.text("stopReason");
  const systemMessage = reader.text("systemMessage");
  specific.take("hookEventName");
  const context = spec.honours.includes("additionalContext") ? specific.text("additionalContext") : undefined;
  const rewrites = readRewrites(specific, spec);
  const logs = reader.take("logs");
  return {
    ...NO_ANSWER,
    blocks: decision === "deny" || decision === "block",
    asks: decision === "ask",
    allows: decision === "allow" || decision === "approve",
    stops: reader.flag("continue") === false,
    stopReasons: list(stopReason),
    reasons: list(reason ?? permissionReason),
    messages: list(systemMessage),
    contexts: list(context),
    suppressOutput: reader.flag("suppressOutput") === true,
    specific: specific.rest(spec.honours),
    rewrites,
    logs: Array.isArray(logs) ? logs.filter((line) => typeof line === "string") : list(asText(logs)),
  };
}

const DECISIONS = ["allow", "approve", "deny", "block", "ask"];

function readDecision(reader: AnswerReader, specific: AnswerReader): string | undefined {
  const candidates = [reader.text("decision"), specific.text("permissionDecision"), reader.text("permissionDecision")];
  const decisions = candidates.filter((word) => word !== undefined).map((word) => word.trim().toLowerCase());
  for (const unknown of decisions.filter((word) => !DECISIONS.includes(word))) {
    reader.ignored.push(`decision ${JSON.stringify(unknown)} is not one of ${DECISIONS.join(", ")}`);
  }
  const known = decisions.filter((word) => DECISIONS.includes(word));
  // Said twice and differently: the objection stands.
  return known.find((word) => word === "deny" || word === "block") ?? known.find((word) => word === "ask") ?? known[0];
}

/** Spellings of other dialects that mean the same, each in the place where this contract has it. */
const ALIASES = [
  { from: "modifiedRequest", to: "llm_request", top: true },
  { from: "syntheticResponse", to: "llm_response", top: true },
  { from: "modifiedResponse", to: "llm_response", top: true },
  { from: "toolConfig", to: "toolConfig", top: true },
  { from: "updatedInput", to: "tool_input", top: true },
  { from: "updatedInput", to: "tool_input", top: false },
];

function moveAliases(reader: AnswerReader, specific: AnswerReader, spec: EventSpec): void {
  for (const { from, to, top } of ALIASES) {
    if (!spec.honours.includes(to)) continue;
    const value = (top ? reader : specific).take(from);
    if (value !== undefined) specific.put(to, to === "llm_response" ? asResponse(value) : value);
  }
}

/** `{ text, functionCalls }` is the short form of a response. */
function asResponse(value: unknown): unknown {
  if (!isRecord(value) || "candidates" in value) return value;
  const calls = Array.isArray(value.functionCalls) ? value.functionCalls.filter(isRecord) : [];
  const text = typeof value.text === "string" ? [value.text] : [];
  const parts = [...text, ...calls.map((call) => ({ type: "functionCall", ...call }))];
  return { ...(text.length > 0 ? { text: value.text } : {}), candidates: [{ content: { role: "model", parts } }] };
}

function readRewrites(specific: AnswerReader, spec: EventSpec): Record<string, unknown> {
  const rewrites: Record<string, unknown> = {};
  for (const { field, type } of spec.rewrites) {
    const value = specific.take(field);
    if (value === undefined) continue;
    if (type === "object" ? isRecord(value) : typeof value === "string") rewrites[field] = value;
    else specific.ignored.push(`${field} has the wrong type`);
  }
  return rewrites;
}

function readError(value: unknown, spec: EventSpec): string | undefined {
  if (value === undefined || spec.vocabulary !== "ability") return undefined;
  if (!isRecord(value)) return asText(value) ?? "reported an error";
  return [value.code, value.message].filter((part) => typeof part === "string").join(": ") || "reported an error";
}

/** What this event cannot do is ignored and said; an ask it cannot put to a person counts as a block. */
function withinPowers(answer: Answer, spec: EventSpec, ignored: string[]): Answer {
  const mayBlock = "block" in spec.may;
  const mayAsk = "ask" in spec.may;
  if (answer.asks && !mayAsk && mayBlock) return withinPowers({ ...answer, asks: false, blocks: true }, spec, ignored);
  const lost = [
    ...(answer.blocks && !mayBlock ? ["a block"] : []),
    ...(answer.stops && !("stop" in spec.may) ? ["continue: false"] : []),
    ...(answer.asks && !mayAsk ? ["an ask"] : []),
  ];
  if (lost.length === 0) return answer;
  ignored.push(`this event does not honour ${lost.join(" and ")}`);
  const { blocks, stops, asks } = answer;
  return { ...answer, blocks: blocks && mayBlock, stops: stops && "stop" in spec.may, asks: asks && mayAsk };
}

/** Takes fields off a loose object one by one, reporting those of the wrong type; `null` is absent. */
class AnswerReader {
  readonly #fields: Map<string, unknown>;
  readonly ignored: string[];

  constructor(value: Readonly<Record<string, unknown>>, ignored: string[] = []) {
    this.#fields = new Map(Object.entries(value).filter(([, field]) => field !== null && field !== undefined));
    this.ignored = ignored;
  }

  take(key: string): unknown {
    const value = this.#fields.get(key);
    this.#fields.delete(key);
    return value;
  }

  put(key: string, value: unknown): void {
    if (!this.#fields.has(key)) this.#fields.set(key, value);
  }

  text(key: string): string | undefined {
    return this.#typed(key, (value) => (typeof value === "string" ? value : undefined));
  }

  flag(key: string): boolean | undefined {
    return this.#typed(key, (value) => (typeof value === "boolean" ? value : undefined));
  }

  record(key: string): Record<string, unknown> | undefined {
    return this.#typed(key, (value) => (isRecord(value) ? value : undefined));
  }

  /** Everything not taken; what the event does not honour is said. */
  rest(honoured: readonly string[]): Record<string, unknown> {
    for (const key of this.#fields.keys()) {
      if (!honoured.includes(key)) this.ignored.push(`hookSpecificOutput.${key} has no effect on this event`);
    }
    return Object.fromEntries(this.#fields);
  }

  #typed<T>(key: string, read: (value: unknown) => T | undefined): T | undefined {
    const value = this.take(key);
    const result = read(value);
    if (value !== undefined && result === undefined) this.ignored.push(`${key} has the wrong type`);
    return result;
  }
}

const list = (text: string | undefined) => (text ? [text] : []);
const asText = (value: unknown) => (typeof value === "string" ? value : undefined);
