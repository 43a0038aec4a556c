import { types } from "node:util";
import { nearest } from "../../config/values/nearest.ts";
import { saysStop, wordOf } from "../../events/decisionWords.ts";
import { isPlain } from "../../events/unwrapped.ts";
import { fieldOf, isRecord } from "./answer.ts";

/** Formats a field for a note or a message: short, and without running code of its object. */
export function quote(field: unknown): string {
  if (typeof field === "string") return JSON.stringify(field.length > 40 ? `${field.slice(0, 40)}…` : field);
  if (typeof field === "number" || typeof field === "boolean") return String(field);
  return field === null ? "null" : `of type ${typeof field}`;
}

const DECISION_KEYS = ["decision", "permissionDecision"];

/** The first unclear verdict of an answer. */
export function misspeltVerdict(answer: object): string | undefined {
  const specific = fieldOf(answer, "hookSpecificOutput");
  for (const fields of isRecord(specific) ? [answer, specific] : [answer]) {
    for (const key of keysOf(fields)) {
      const problem = verdictProblem(key, fieldOf(fields, key));
      if (problem) return problem;
    }
  }
  return undefined;
}

/**
 * What is wrong with a field that is, or should be, a verdict. A guard with an unknown verdict has not agreed: that is
 * a failure, and its `onError` decides.
 */
export function verdictProblem(key: string, field: unknown): string | undefined {
  if (field === null || field === undefined) return undefined;
  if (DECISION_KEYS.includes(key)) {
    return wordOf(field)
      ? undefined
      : `answered with ${key} ${quote(field)}, which is not one of allow, approve, deny, block, ask`;
  }
  if (key === "continue") {
    const isFlag = typeof field === "boolean" || saysStop(field) || field === "true";
    return isFlag ? undefined : `answered with continue ${quote(field)}, which is neither true nor false`;
  }
  const meant = key.length > 30 ? undefined : keyMeant(key, field);
  return meant && `answered with a field "${key}", which is probably meant to be "${meant}"`;
}

/** A misspelled key counts only if its value would be a verdict under the right name. */
function keyMeant(key: string, field: unknown): string | undefined {
  const plain = key.replaceAll(/[_\-\s]/g, "");
  if (isRecord(field)) return key === "hookSpecificOutput" ? undefined : nearest(plain, ["hookSpecificOutput"]);
  if (wordOf(field)) return nearest(plain, DECISION_KEYS);
  return saysStop(field) ? nearest(plain, ["continue"]) : undefined;
}

/** Whether it is a word for an objection. */
function isObjectingWord(field: unknown): boolean {
  const word = wordOf(field)?.word;
  return word === "block" || word === "ask";
}

/** An unknown field that sounds like an objection: `{"action": "deny"}`, `{"blocked": true}`, `{"ok": false}`. */
export function soundsLikeObjection(key: string, field: unknown): boolean {
  if (isObjectingWord(field)) return true;
  return (field === true && isObjectingWord(key)) || (field === false && CONSENTS.has(key.toLowerCase()));
}

const CONSENTS: ReadonlySet<string> = new Set(["allow", "allowed", "approve", "approved", "permit", "permitted", "ok"]);

/** The names of its fields; undefined if they cannot be listed, as with some proxies. */
export function listKeys(value: object): string[] | undefined {
  try {
    const keys: string[] = [];
    for (const key in value) keys.push(key);
    return keys;
  } catch {
    return undefined;
  }
}

export const keysOf = (value: object): string[] => listKeys(value) ?? [];

/** The names of its fields. Also tries the names in `known`, which a proxy or a class with getters may not list. */
export function fieldNames(value: object, known: Iterable<string>): readonly string[] {
  const listed = keysOf(value);
  return listsAll(value, listed.length) ? listed : [...new Set([...known, ...listed])];
}

function listsAll(value: object, listed: number): boolean {
  if (!isPlain(value) || types.isProxy(value)) return false;
  return Object.getOwnPropertyNames(value).length === listed;
}
