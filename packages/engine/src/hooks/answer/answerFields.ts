import { saysStop, wordOf } from "../../events/decisionWords.ts";
import type { EventSpec } from "../../events/eventSpec.ts";
import { isInstance, unwrapped } from "../../events/unwrapped.ts";
import type { Fields } from "../run/rewrites.ts";
import { type Answer, fieldOf, isRecord } from "./answer.ts";
import { CONTENTS } from "./answerKeys.ts";
import { membersIn } from "./objectingMembers.ts";
import { addObjection, objectionsOf } from "./objections.ts";
import { type AnsweringHook, readSignals } from "./readSignals.ts";
import { readSpecific } from "./readSpecific.ts";
import { fieldNames, quote, verdictProblem } from "./verdictWords.ts";

export type Draft = { -readonly [Field in keyof Answer]: Answer[Field] };

export interface FieldContext {
  readonly spec: EventSpec;
  readonly hook: AnsweringHook;
  /** The event as the hook saw it; undefined if unknown. */
  readonly seen: Fields | undefined;
  readonly ignored: string[];
  /** Reasons that make the answer a failure of the hook. */
  readonly failures: string[];
  /** Reasons that do so unless the answer also has a verdict. */
  readonly hints: string[];
}

/** Limits the notes: a hook may print a list of a hundred thousand wrong signals. */
const MAX_NOTES = 100;

type ReadField = (draft: Draft, field: unknown, context: FieldContext) => void;

/** Read first, so that errors in other fields cannot hide an objection. */
export const OBJECTION_FIELDS: ReadonlySet<string> = new Set([
  "decision",
  "permissionDecision",
  "continue",
  "reason",
  "permissionDecisionReason",
  "stopReason",
  "hook_signals",
  "hookSpecificOutput",
]);

/** The meaning of each answer field. A map, not an object: a hook may print a key such as `constructor`. */
export const ANSWER_FIELDS: ReadonlyMap<string, ReadField> = new Map<string, ReadField>([
  ["decision", (draft, field, context) => readDecision(draft, "decision", field, context)],
  ["permissionDecision", (draft, field, context) => readDecision(draft, "permissionDecision", field, context)],
  ["reason", text("reason", (draft, reason) => (draft.reasons = [reason, ...draft.reasons]))],
  ["permissionDecisionReason", text("permissionDecisionReason", addReason)],
  ["stopReason", text("stopReason", (draft, reason) => (draft.stopReasons = [reason]))],
  ["systemMessage", text("systemMessage", (draft, message) => (draft.messages = [message]))],
  ["continue", readContinue],
  ["suppressOutput", flag("suppressOutput", (draft, quiet) => (draft.suppressOutput = quiet))],
  ["logs", readLogs],
  ["hook_signals", readHookSignals],
  ["usage_recorded", flag("usage_recorded", (draft, recorded) => (draft.usageRecorded = recorded))],
  ["error", readError],
  ["hookSpecificOutput", readHookSpecificOutput],
  // Spellings of other dialects, at the top level.
  ["modifiedRequest", alias("llm_request")],
  ["syntheticResponse", alias("llm_response")],
  ["modifiedResponse", alias("llm_response")],
  ["toolConfig", alias("toolConfig")],
  ["updatedInput", alias("tool_input")],
]);

/** If two decisions contradict, the objection counts. */
function readDecision(draft: Draft, key: string, field: unknown, { ignored, failures }: FieldContext): void {
  const said = wordOf(field);
  if (said === undefined) {
    failures.push(verdictProblem(key, field) ?? "");
    return;
  }
  if (!said.isOfficial) ignored.push(`decision ${quote(field)} was read as "${said.word}"`);
  if (said.word === "block") draft.blocks = true;
  else if (said.word === "ask") draft.asks = true;
  draft.allows = !draft.blocks && !draft.asks;
}

function readContinue(draft: Draft, field: unknown, { ignored, failures }: FieldContext): void {
  draft.stops ||= saysStop(field);
  if (typeof field === "boolean") return;
  ignored.push(`continue ${quote(field)} is neither true nor false`);
  const problem = verdictProblem("continue", field);
  if (problem) failures.push(problem);
}

function readHookSpecificOutput(draft: Draft, given: unknown, context: FieldContext): void {
  const field = unwrapped(given);
  if (!isRecord(field) || !isInstance(field)) {
    context.ignored.push("hookSpecificOutput is not an object");
    lookInside(draft, given, context);
    return;
  }
  if (field !== given) lookInside(draft, given, context);
  const { permissionDecision, permissionDecisionReason, ...specific } = readableFields(field);
  if (permissionDecision !== undefined && permissionDecision !== null) {
    readDecision(draft, "permissionDecision", permissionDecision, context);
    lookInside(draft, permissionDecision, context);
  }
  if (typeof permissionDecisionReason === "string") addReason(draft, permissionDecisionReason);
  readMisplaced(draft, specific, context);
  const { contexts, rewrites, fields } = readSpecific(specific, context);
  draft.contexts = contexts;
  // The contract's own field names win over those of another dialect, in any order.
  draft.rewrites = { ...draft.rewrites, ...rewrites };
  draft.specific = { ...draft.specific, ...fields };
}

/** A verdict does not belong among an event's fields, but it counts there. */
function readMisplaced(draft: Draft, specific: Readonly<Record<string, unknown>>, context: FieldContext): void {
  for (const key in specific) {
    if (CONTENTS.has(key) || key === "hookEventName" || specific[key] === undefined) continue;
    const problem = verdictProblem(key, specific[key]);
    if (problem) context.failures.push(problem);
    const { reason } = specific;
    lookInside(draft, { [key]: specific[key], ...(typeof reason === "string" ? { reason } : {}) }, context);
  }
}

function readableFields(value: object): Record<string, unknown> {
  return Object.fromEntries(fieldNames(value, OBJECTION_FIELDS).map((key) => [key, fieldOf(value, key)]));
}

/** Whether an object in this field has its own rule, or contains text that is not the hook's. */
export function readsObjects(key: string): boolean {
  return key === "hookSpecificOutput" || key === "hook_signals" || CONTENTS.has(key);
}

/** An objection in the wrong place still counts. `key` is the name of the field. */
export function lookInside(draft: Draft, field: unknown, { spec, hook, ignored }: FieldContext, key = ""): void {
  const found = objectionsOf(membersIn(field, key), spec, hook);
  if (!found.blocks && !found.stops && !found.asks) return;
  ignored.push("an objection inside another field was taken as the answer's own");
  Object.assign(draft, addObjection(draft, found));
}

/**
 * A `permissionDecision` inside contents next to `hookSpecificOutput` is not an argument of a tool: a script pasted a command into its
 * JSON, and thereby moved its own verdict there.
 */
function lookForPermission(draft: Draft, field: unknown, { spec, hook }: FieldContext): void {
  const found = membersIn(field, "").filter(({ permissionDecision }) => permissionDecision !== undefined);
  Object.assign(draft, addObjection(draft, objectionsOf(found, spec, hook)));
}

function readHookSignals(draft: Draft, field: unknown, context: FieldContext): void {
  const { signals, denies, asks, reasons, ignored, unread, unknownCode } = readSignals(
    field,
    context.spec,
    context.hook,
  );
  draft.signals = signals;
  draft.blocks ||= denies;
  draft.asks ||= asks;
  draft.reasons = [...draft.reasons, ...reasons];
  for (const note of ignored.slice(0, MAX_NOTES)) context.ignored.push(note);
  if (unknownCode) context.failures.push(`answered with a signal that has no meaning: ${unknownCode}`);
  for (const value of unread) lookInside(draft, value, context);
}

/** Part of the ability vocabulary, where it means that the hook failed (read with the ending). */
function readError(_draft: Draft, field: unknown, { spec, ignored, hints }: FieldContext): void {
  if (spec.vocabulary === "ability") return;
  ignored.push("error is not a field of an answer");
  if (field)
    hints.push(`answered with an error and without a decision${typeof field === "string" ? `: ${quote(field)}` : ""}`);
}

function readLogs(draft: Draft, field: unknown): void {
  if (typeof field === "string") draft.logs = [field];
  else if (Array.isArray(field)) draft.logs = field.filter((line) => typeof line === "string");
}

/** A reason in another dialect counts only if there is none in this one. */
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

function alias(meant: string): ReadField {
  return (draft, field, context) => {
    const { spec, ignored } = context;
    lookForPermission(draft, field, context);
    if (!spec.honours.includes(meant)) {
      ignored.push(`${meant} has no effect on this event`);
      return;
    }
    const { rewrites, fields } = readSpecific({ [meant]: field }, context);
    draft.rewrites = { ...rewrites, ...draft.rewrites };
    draft.specific = { ...fields, ...draft.specific };
  };
}
