import { nearest } from "../config/nearest.ts";
import { fieldOf, isRecord } from "./answer.ts";

export type Word = "allow" | "block" | "ask";

const WORDS: ReadonlyMap<string, Word> = new Map([
  ["allow", "allow"],
  ["approve", "allow"],
  ["deny", "block"],
  ["block", "block"],
  ["ask", "ask"],
]);

/** No words of the contract, but there is only one thing that they can mean. */
const UNOFFICIAL: ReadonlyMap<string, Word> = new Map([
  ["denied", "block"],
  ["blocked", "block"],
  ["reject", "block"],
  ["rejected", "block"],
  ["refuse", "block"],
]);

export const OFFICIAL_WORDS = [...WORDS.keys()].join(", ");

/** What a `decision` says, in any case; undefined if it is not a word for a decision. */
export function wordOf(field: unknown): { readonly word: Word; readonly isOfficial: boolean } | undefined {
  if (typeof field !== "string" || field.length > 100) return undefined;
  const given = field.trim().toLowerCase();
  const word = WORDS.get(given);
  if (word) return { word, isOfficial: true };
  const meant = UNOFFICIAL.get(given);
  return meant && { word: meant, isOfficial: false };
}

/** `false`, also as text. */
export function saysStop(field: unknown): boolean {
  return field === false || (typeof field === "string" && field.trim().toLowerCase() === "false");
}

/** The field for a note or a message, short and without calling any code of its object. */
export function quote(field: unknown): string {
  if (typeof field === "string") return JSON.stringify(field.length > 40 ? `${field.slice(0, 40)}…` : field);
  if (typeof field === "number" || typeof field === "boolean") return String(field);
  return field === null ? "null" : `of type ${typeof field}`;
}

const DECISION_KEYS = ["decision", "permissionDecision"];

/**
 * What is wrong with the verdict of an answer, if it has one that cannot be understood. A guard that says something
 * unknown has not said yes: that is a failure, and its `onError` decides.
 */
export function misspeltVerdict(answer: object): string | undefined {
  const specific = fieldOf(answer, "hookSpecificOutput");
  for (const fields of isRecord(specific) ? [answer, specific] : [answer]) {
    for (const key of keysOf(fields)) {
      const problem = problemOf(key, fieldOf(fields, key));
      if (problem) return problem;
    }
  }
  return undefined;
}

function problemOf(key: string, field: unknown): string | undefined {
  if (field === null || field === undefined) return undefined;
  if (DECISION_KEYS.includes(key)) {
    return wordOf(field) ? undefined : `answered with ${key} ${quote(field)}, which is not one of ${OFFICIAL_WORDS}`;
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
  if (wordOf(field)) return nearest(plain, DECISION_KEYS);
  return saysStop(field) ? nearest(plain, ["continue"]) : undefined;
}

/** The names of its fields; none if it does not let itself be listed. */
export function keysOf(value: object): string[] {
  const keys: string[] = [];
  try {
    for (const key in value) keys.push(key);
  } catch {
    // A proxy that refuses: what can be read of it is read by name.
  }
  return keys;
}
