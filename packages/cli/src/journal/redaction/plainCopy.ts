import { REDACTED } from "@hookline/engine";
import { moreNote } from "./boundData.ts";
import type { Redacted } from "./redaction.ts";

export type Naming = "secret" | "chosen" | "nothing";

export interface CopyRules {
  text(given: string): Redacted<string>;
  key(given: string): Redacted<string>;
  /** What the value of such a field is; what the settings chose is one whatever it looks like. */
  names(key: string): Naming;
  readonly mostValues: number;
  /** Of one text, no more is looked at. */
  readonly longestText: number;
  readonly mostCharacters: number;
}

type Field = readonly [string, unknown];

const MOST_LEVELS = 100;
const LONG = 1_000;
const FLAG = /^--?[A-Za-z][\w-]+$/;
/** `{ "name": "API_KEY", "value": "…" }` */
const NAMING = /^(?:name|key|header)$/i;

/** Anything as plain data without secrets. Never throws: what cannot be read or shown becomes a note. */
export class PlainCopy {
  redacted = false;
  cut = false;
  readonly #rules: CopyRules;
  readonly #above = new Set<object>();
  #valuesLeft: number;
  #charactersLeft: number;

  constructor(rules: CopyRules) {
    this.#rules = rules;
    this.#valuesLeft = rules.mostValues;
    this.#charactersLeft = rules.mostCharacters;
  }

  of(value: unknown): unknown {
    try {
      return this.#plain(value);
    } catch {
      return "(unreadable)";
    }
  }

  #plain(value: unknown): unknown {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        return this.#text(String(value)) === String(value) ? value : this.#secret();
      case "bigint":
        return this.#text(String(value));
      case "function":
        return this.#text(`(function ${value.name})`);
      case "symbol":
        return this.#text(`(${String(value)})`);
      case "object":
        return value === null ? null : this.#object(value);
      default:
        return value;
    }
  }

  #text(given: string): string {
    const characters = Math.min(given.length, this.#rules.longestText);
    if (characters > LONG && characters > this.#charactersLeft) {
      return this.#leftOut(`… (cut: ${given.length.toLocaleString("en-US")} characters)`);
    }
    this.#charactersLeft -= characters;
    const { value, redacted, cut } = this.#rules.text(given);
    this.redacted ||= redacted;
    this.cut ||= cut;
    return value;
  }

  #object(value: object): unknown {
    if (this.#above.has(value)) return "(circular)";
    if (this.#above.size >= MOST_LEVELS) return this.#leftOut("(cut: too deep)");
    this.#above.add(value);
    try {
      return this.#content(value);
    } finally {
      this.#above.delete(value);
    }
  }

  #content(value: object): unknown {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `(${value.byteLength} bytes)`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "(invalid date)" : value.toISOString();
    if (value instanceof Error) return this.#text(value.stack ?? String(value));
    if (value instanceof URL || value instanceof RegExp) return this.#text(String(value));
    if (value instanceof Set) return this.#list([...value]);
    if (value instanceof Map) return this.#fields(Array.from(value, ([key, item]): Field => [String(key), item]));
    return Array.isArray(value) ? this.#list(value) : this.#fields(Object.entries(value));
  }

  #list(items: readonly unknown[]): unknown[] {
    const most = this.#take(items.length);
    const kept = items.slice(0, most).map((item, index) => {
      const before = items[index - 1];
      const isValue = typeof item === "string" && !item.startsWith("-") && typeof before === "string";
      const isSecret = isValue && FLAG.test(before) && this.#rules.names(before) !== "nothing";
      return isSecret ? this.#hide(item) : this.of(item);
    });
    return most === items.length ? kept : [...kept, this.#leftOut(moreNote(items.length - most))];
  }

  #fields(fields: readonly Field[]): Record<string, unknown> {
    const most = this.#take(fields.length);
    const naming = fields.find(([key, item]) => NAMING.test(key) && typeof item === "string");
    const isNamed = typeof naming?.[1] === "string" && this.#rules.names(naming[1]) !== "nothing";
    const kept = new Map<string, unknown>();
    for (const [key, item] of fields.slice(0, most)) {
      const shown = this.#key(key, kept);
      const isValue = isNamed && key === "value";
      const names = this.#names(key, shown);
      kept.set(shown, isSecret(isValue ? "secret" : names, key, item) ? this.#hide(item) : this.of(item));
    }
    if (most < fields.length) kept.set("…", this.#leftOut(moreNote(fields.length - most)));
    return Object.fromEntries(kept);
  }

  /** Also by what is left of the key, so that to redact again changes nothing. */
  #names(key: string, shown: string): Naming {
    const names = this.#rules.names(key);
    return names === "nothing" && shown !== key ? this.#rules.names(shown) : names;
  }

  /** Two keys that are shown alike stay two. */
  #key(key: string, taken: ReadonlyMap<string, unknown>): string {
    const { value, redacted, cut } = this.#rules.key(key);
    this.redacted ||= redacted;
    this.cut ||= cut;
    let unique = value;
    for (let count = taken.size; taken.has(unique); count++) unique = `${value} ${count}`;
    return unique;
  }

  /** How many of these can still be copied. */
  #take(count: number): number {
    const most = Math.max(0, Math.min(count, this.#valuesLeft));
    this.#valuesLeft -= most;
    return most;
  }

  #leftOut(note: string): string {
    this.cut = true;
    return note;
  }

  #hide(value: unknown): string {
    this.redacted ||= value !== REDACTED;
    return REDACTED;
  }

  #secret(): string {
    this.redacted = true;
    return REDACTED;
  }
}

function isSecret(names: Naming, key: string, value: unknown): boolean {
  if (names === "nothing" || value === null || value === undefined || value === "") return false;
  if (names === "chosen") return true;
  // Whether there is one, and how many are counted, may be known.
  return typeof value !== "boolean" && !(typeof value === "number" && /tokens$/i.test(key));
}
