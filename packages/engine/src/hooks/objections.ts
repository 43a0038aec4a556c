import type { EventSpec } from "../events/eventSpec.ts";
import { type Answer, fieldOf, NO_ANSWER, objects } from "./answer.ts";
import { KEPT_KEYS, type KeptMembers, mayObject } from "./objectTrack.ts";
import { type AnsweringHook, readSignals } from "./readSignals.ts";
import { keysOf, saysStop, wordOf } from "./verdictWords.ts";

/** More reasons or signals are not passed on: one objection is enough. */
const MAX_QUOTED = 20;
/** For values without an end, such as a proxy that makes a new object at every access. */
const MAX_OBJECTS = 1_000_000;

/** The objections of objects of which nothing else counts. */
export function objectionsOf(found: readonly KeptMembers[], spec: EventSpec, hook: AnsweringHook): Answer {
  return found
    .map((members) => objectionOf(members, spec, hook))
    .filter(objects)
    .reduce(addObjection, NO_ANSWER);
}

/** Two answers of one hook: the objections of both count, everything else is the first one's. */
export function addObjection(answer: Answer, objection: Answer): Answer {
  if (!objects(objection)) return answer;
  return {
    ...answer,
    blocks: answer.blocks || objection.blocks,
    stops: answer.stops || objection.stops,
    asks: answer.asks || objection.asks,
    allows: false,
    reasons: union(answer.reasons, objection.reasons),
    stopReasons: union(answer.stopReasons, objection.stopReasons),
    signals: [...answer.signals, ...objection.signals.slice(0, Math.max(0, MAX_QUOTED - answer.signals.length))],
  };
}

function objectionOf(members: KeptMembers, spec: EventSpec, hook: AnsweringHook): Answer {
  const { decision, permissionDecision, reason, permissionDecisionReason, stopReason } = members;
  const words = [wordOf(decision)?.word, wordOf(permissionDecision)?.word];
  const stops = saysStop(members.continue);
  const { denies, asks, reasons, objecting } = readSignals([members], spec, hook);
  return {
    ...NO_ANSWER,
    blocks: words.includes("block") || denies,
    asks: words.includes("ask") || asks,
    stops,
    reasons: [...texts(reason ?? permissionDecisionReason), ...reasons],
    stopReasons: stops ? texts(stopReason) : [],
    signals: objecting,
  };
}

/**
 * Every object in a value, at any depth, that may object. Reads field by field: what throws is left out. Below the value
 * itself only plain objects and lists are looked into, since anything else may run code or lead anywhere.
 */
export function membersIn(value: unknown): KeptMembers[] {
  const found: KeptMembers[] = [];
  const seen = new Set<unknown>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || seen.has(next) || seen.size > MAX_OBJECTS) continue;
    if (seen.size > 0 && !isPlain(next)) continue;
    seen.add(next);
    const members = keptMembers(next);
    if (mayObject(members)) found.push(members);
    for (const key of keysOf(next)) {
      const field = fieldOf(next, key);
      if (typeof field === "object" && field !== null) open.push(field);
    }
  }
  return found;
}

function keptMembers(value: object): KeptMembers {
  const members: KeptMembers = {};
  for (const key of KEPT_KEYS) {
    const field = fieldOf(value, key);
    if (field !== undefined) members[key] = field;
  }
  return members;
}

/** An object literal, parsed JSON, or a list: reading it runs no code of a class. */
export function isPlain(value: object): boolean {
  try {
    if (Array.isArray(value)) return true;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
}

const texts = (field: unknown): string[] => (typeof field === "string" && field.trim() !== "" ? [field] : []);
const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].slice(0, MAX_QUOTED);
