import { types } from "node:util";
import { nearest } from "../../config/values/nearest.ts";
import { isPlain, unwrapped } from "../../events/unwrapped.ts";
import { fieldOf, isRecord } from "./answer.ts";

export type Word = "allow" | "block" | "ask";

interface Said {
  readonly word: Word;
  readonly isOfficial: boolean;
}

const official = (word: Word): Said => ({ word, isOfficial: true });
/** Not a word of the contract, but there is only one thing that it can mean. */
const unofficial = (word: Word): Said => ({ word, isOfficial: false });

const WORDS: ReadonlyMap<unknown, Said> = new Map([
  ["allow", official("allow")],
  ["approve", official("allow")],
  ["deny", official("block")],
  ["block", official("block")],
  ["ask", official("ask")],
  ["denied", unofficial("block")],
  ["blocked", unofficial("block")],
  ["reject", unofficial("block")],
  ["rejected", unofficial("block")],
  ["refuse", unofficial("block")],
]);

/** What a `decision` says, in any case; undefined if it is not a word for a decision. */
export function wordOf(field: unknown): Said | undefined {
  const word = unwrapped(field);
  return WORDS.get(word) ?? (typeof word === "string" ? WORDS.get(word.trim().toLowerCase()) : undefined);
}

/** `false`, also as text. */
export function saysStop(field: unknown): boolean {
  const flag = unwrapped(field);
  return flag === false || (typeof flag === "string" && flag.trim().toLowerCase() === "false");
}

/** The field for a note or a message, short and without calling any code of its object. */
export function quote(field: unknown): string {
  if (typeof field === "string") return JSON.stringify(field.length > 40 ? `${field.slice(0, 40)}…` : field);
  if (typeof field === "number" || typeof field === "boolean") return String(field);
  return field === null ? "null" : `of type ${typeof field}`;
}

const DECISION_KEYS = ["decision", "permissionDecision"];

/** The first verdict of an answer that cannot be understood. */
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
 * What is wrong with a field that is a verdict, or is meant to be one. A guard that says something unknown has not said
 * yes: that is a failure, and its `onError` decides.
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

/** A near miss counts only with a value that would be a verdict under the right name. */
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

/** A field of no meaning that sounds like an objection: `{"action": "deny"}`, `{"blocked": true}`, `{"ok": false}`. */
export function soundsLikeObjection(key: string, field: unknown): boolean {
  if (isObjectingWord(field)) return true;
  return (field === true && isObjectingWord(key)) || (field === false && CONSENTS.has(key.toLowerCase()));
}

const CONSENTS: ReadonlySet<string> = new Set(["allow", "allowed", "approve", "approved", "permit", "permitted", "ok"]);

/** The names of its fields; undefined if it does not let itself be listed, as a proxy may. */
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

/** The names of its fields. Those in `known` are also asked for where they may not be listed, as in a proxy or in getters of a class. */
export function fieldNames(value: object, known: Iterable<string>): readonly string[] {
  const listed = keysOf(value);
  return listsAll(value, listed.length) ? listed : [...new Set([...known, ...listed])];
}

function listsAll(value: object, listed: number): boolean {
  if (!isPlain(value) || types.isProxy(value)) return false;
  return Object.getOwnPropertyNames(value).length === listed;
}
