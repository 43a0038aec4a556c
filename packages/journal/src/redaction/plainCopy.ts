import { REDACTED } from "@hookline/engine/program";
import { moreNote } from "./boundData.ts";
import { type Field, hiddenFields, type Names } from "./hiddenFields.ts";
import type { Redacted } from "./redaction.ts";
import { isSecretPair, secretItemDetector } from "./secretItems.ts";

export interface CopyRules {
  text(given: string): Redacted<string>;
  key(given: string): Redacted<string>;
  readonly names: Names;
  readonly mostValues: number;
  /** Characters of one text to process at most. */
  readonly longestText: number;
  readonly mostCharacters: number;
  readonly mostLevels: number;
}

const LONG = 1_000;

const whole = (given: string): Redacted<string> => ({ value: given, redacted: false, cut: false });
/** Nothing is hidden. Levels are bounded, above what redaction keeps, because serialising data is recursive. */
const WHOLE: CopyRules = {
  text: whole,
  key: whole,
  names: () => "nothing",
  mostValues: Number.POSITIVE_INFINITY,
  longestText: Number.POSITIVE_INFINITY,
  mostCharacters: Number.POSITIVE_INFINITY,
  mostLevels: 200,
};

/** Copies any value as plain data, for another thread. Redacting the copy gives the same as redacting the value. */
export function plainCopy(value: unknown): unknown {
  return new PlainCopy(WHOLE).of(value);
}

/**
 * Copies any value as plain data without secrets. Never throws: replaces values that cannot be read or shown with a
 * note.
 */
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

  of(value: unknown, isInList = false): unknown {
    try {
      if (isInList && isSecretPair(value, this.#rules.names)) return [this.#text(value[0]), this.#hide(value[1])];
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
    if (this.#above.size >= this.#rules.mostLevels) return this.#leftOut("(cut: too deep)");
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
    const isHidden = secretItemDetector(this.#rules.names);
    const kept = items.slice(0, most).map((item) => (isHidden(item) ? this.#hide(item) : this.of(item, true)));
    return most === items.length ? kept : [...kept, this.#leftOut(moreNote(items.length - most))];
  }

  #fields(fields: readonly Field[]): Record<string, unknown> {
    const most = this.#take(fields.length);
    const isHidden = hiddenFields(fields, this.#rules.names);
    const kept = new Map<string, unknown>();
    for (const [key, item] of fields.slice(0, most)) {
      const shown = this.#key(key, kept);
      // Also check the redacted key, so that redacting twice changes nothing.
      const isSecret = isHidden(key, item) || (shown !== key && isHidden(shown, item));
      kept.set(shown, isSecret ? this.#hide(item) : this.of(item));
    }
    if (most < fields.length) kept.set("…", this.#leftOut(moreNote(fields.length - most)));
    return Object.fromEntries(kept);
  }

  /** Keeps two keys apart that look alike after redaction. */
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
