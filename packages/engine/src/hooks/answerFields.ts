import type { EventSpec } from "../events/eventSpec.ts";
import { type Answer, isRecord } from "./answer.ts";
import { type AnsweringHook, readSignals } from "./readSignals.ts";
import { readSpecific } from "./readSpecific.ts";

export type Draft = { -readonly [Field in keyof Answer]: Answer[Field] };

interface Context {
  readonly spec: EventSpec;
  readonly hook: AnsweringHook;
  readonly ignored: string[];
}

type ReadField = (draft: Draft, field: unknown, context: Context) => void;

/** What each field of an answer means. A map and not an object: a hook may well print a key called `constructor`. */
export const ANSWER_FIELDS: ReadonlyMap<string, ReadField> = new Map<string, ReadField>([
  ["decision", readDecision],
  ["permissionDecision", readDecision],
  ["reason", text("reason", (draft, reason) => (draft.reasons = [reason, ...draft.reasons]))],
  ["permissionDecisionReason", text("permissionDecisionReason", addReason)],
  ["stopReason", text("stopReason", (draft, reason) => (draft.stopReasons = [reason]))],
  ["systemMessage", text("systemMessage", (draft, message) => (draft.messages = [message]))],
  ["continue", flag("continue", (draft, goOn) => (draft.stops = !goOn))],
  ["suppressOutput", flag("suppressOutput", (draft, quiet) => (draft.suppressOutput = quiet))],
  ["logs", readLogs],
  ["hook_signals", readHookSignals],
  ["usage_recorded", () => {}], // for the record
  ["error", readError],
  ["hookSpecificOutput", readHookSpecificOutput],
  // Spellings of other dialects, at the top level.
  ["modifiedRequest", alias("llm_request")],
  ["syntheticResponse", alias("llm_response", toResponse)],
  ["modifiedResponse", alias("llm_response", toResponse)],
  ["toolConfig", alias("toolConfig")],
  ["updatedInput", alias("tool_input")],
]);

/** Said twice and differently, the objection stands. */
function readDecision(draft: Draft, field: unknown, { ignored }: Context): void {
  const word = typeof field === "string" ? field.trim().toLowerCase() : field;
  if (word === "allow" || word === "approve") draft.allows = !draft.blocks && !draft.asks;
  else if (word === "deny" || word === "block") draft.blocks = true;
  else if (word === "ask") draft.asks = true;
  else ignored.push(`decision ${JSON.stringify(field)} is not one of allow, approve, deny, block, ask`);
  if (draft.blocks || draft.asks) draft.allows = false;
}

function readHookSpecificOutput(draft: Draft, field: unknown, context: Context): void {
  if (!isRecord(field)) {
    context.ignored.push("hookSpecificOutput is not an object");
    return;
  }
  const { permissionDecision, permissionDecisionReason, ...specific } = field;
  if (permissionDecision !== undefined && permissionDecision !== null) readDecision(draft, permissionDecision, context);
  if (typeof permissionDecisionReason === "string") addReason(draft, permissionDecisionReason);
  const { contexts, rewrites, fields } = readSpecific(specific, context.spec, context.ignored);
  draft.contexts = contexts;
  // In the contract's own words; they stand before another dialect's, whichever came first.
  draft.rewrites = { ...draft.rewrites, ...rewrites };
  draft.specific = { ...draft.specific, ...fields };
}

function readHookSignals(draft: Draft, field: unknown, { spec, hook, ignored }: Context): void {
  const { signals, denies, asks, reasons, ignored: dropped } = readSignals(field, spec, hook);
  draft.signals = signals;
  draft.blocks ||= denies;
  draft.asks ||= asks;
  draft.reasons = [...draft.reasons, ...reasons];
  ignored.push(...dropped);
}

/** Of the ability vocabulary, where it means that the hook failed (read with the ending). */
function readError(_draft: Draft, _field: unknown, { spec, ignored }: Context): void {
  if (spec.vocabulary !== "ability") ignored.push("error is no field of an answer");
}

function readLogs(draft: Draft, field: unknown): void {
  if (typeof field === "string") draft.logs = [field];
  else if (Array.isArray(field)) draft.logs = field.filter((line) => typeof line === "string");
}

/** A reason in another dialect's words counts only where there is none in this one's. */
function addReason(draft: Draft, reason: string): void {
  if (draft.reasons.length === 0) draft.reasons = [reason];
}

function text(name: string, take: (draft: Draft, value: string) => void): ReadField {
  return (draft, field, { ignored }) => {
    if (typeof field !== "string") ignored.push(`${name} is not text`);
    else if (field) take(draft, field);
  };
}

function flag(name: string, take: (draft: Draft, value: boolean) => void): ReadField {
  return (draft, field, { ignored }) => {
    if (typeof field === "boolean") take(draft, field);
    else ignored.push(`${name} is neither true nor false`);
  };
}

function alias(meant: string, convert: (field: unknown) => unknown = (field) => field): ReadField {
  return (draft, field, { spec, ignored }) => {
    if (!spec.honours.includes(meant)) {
      ignored.push(`${meant} has no effect on this event`);
      return;
    }
    const { rewrites, fields } = readSpecific({ [meant]: convert(field) }, spec, ignored);
    draft.rewrites = { ...rewrites, ...draft.rewrites };
    draft.specific = { ...fields, ...draft.specific };
  };
}

/** `{ text, functionCalls }` is the short form of a response. */
function toResponse(value: unknown): unknown {
  if (!isRecord(value) || "candidates" in value) return value;
  const calls = Array.isArray(value.functionCalls) ? value.functionCalls.filter(isRecord) : [];
  const words = typeof value.text === "string" ? [value.text] : [];
  const parts = [...words, ...calls.map((call) => ({ ...call, type: "functionCall" }))];
  return { ...(words.length > 0 ? { text: value.text } : {}), candidates: [{ content: { role: "model", parts } }] };
}
