import { types } from "node:util";
import { unwrapped } from "./unwrapped.ts";

type Fields = Readonly<Record<string, unknown>>;

/** jq 1.6 fails at 256 levels, Python at about 1,000, and JSON.stringify at about 4,500. */
export const MAX_LEVELS = 200;
export const TOO_DEEP = `[withheld: nested deeper than ${MAX_LEVELS} levels]`;
/** Objects that share objects can be small in memory and huge as JSON. */
const MAX_CONTAINERS = 1_000_000;

/** How to treat a part that hooks cannot be shown: refuse the value, withhold parts that are too deep, replace each by a note, or keep it. */
type OnUnusable = "refuse" | "withhold" | "note" | "keep";

export type PlainFields =
  | {
      readonly kind: "plain";
      readonly fields: Record<string, unknown>;
      /** Fields that differ from the given ones: invalid text was replaced, or `toJSON` was applied. */
      readonly repaired: readonly string[];
    }
  | { readonly kind: "refused"; readonly why: string };

/**
 * A copy that is guaranteed to be JSON: well-formed text, no cycles, at most `MAX_LEVELS` below each field. Hooks and tools get the same
 * value, and every hook can read it. Parts of the fields in `withheldIn` that are nested deeper become a note.
 */
export function plainFields(given: Fields, withheldIn: readonly string[] = NONE): PlainFields {
  let repaired: readonly string[] = NONE;
  let key = "input";
  try {
    const fields: Record<string, unknown> = { ...given };
    for (key in fields) {
      const value = fields[key];
      if (typeof value === "string" && value.isWellFormed()) continue;
      const quick = quickCopy(value, 1, { left: MAX_CONTAINERS });
      if (quick !== ODD) {
        fields[key] = quick;
        continue;
      }
      const copy = new CarefulCopy(withheldIn.includes(key) ? "withhold" : "refuse");
      fields[key] = copy.of(value, 1);
      if (copy.repaired) repaired = [...repaired, key];
    }
    return { kind: "plain", fields, repaired };
  } catch (error) {
    return { kind: "refused", why: `${key.toWellFormed()} ${whyNotJson(error)}` };
  }
}

/** The value itself, or a copy: with well-formed text, and notes in place of parts that are nested too deep or not JSON. Never throws. */
export function presentable<Value>(value: Value): Value;
export function presentable(value: unknown): unknown {
  return isPlain(value) ? value : new CarefulCopy("note").of(value, 0);
}

/** The value itself, or a copy with well-formed text. Parts that hooks cannot be shown are kept, so that an event refuses them. */
export function wellFormed<Value>(value: Value): Value;
export function wellFormed(value: unknown): unknown {
  return isPlain(value) ? value : new CarefulCopy("keep").of(value, 0);
}

/** Whether the value needs no repair. Checks without copying: nearly every value passes and is used unchanged. */
function isPlain(value: unknown): boolean {
  try {
    return looksPlain(value, 0, { left: MAX_CONTAINERS });
  } catch {
    return false; // a getter threw
  }
}

function looksPlain(value: unknown, level: number, containers: { left: number }): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  containers.left -= 1;
  if (level > MAX_LEVELS || containers.left < 0 || isOdd(value)) return false;
  if (Array.isArray(value)) return value.every((item) => looksPlain(item, level + 1, containers));
  const fields: Fields = { ...value };
  for (const key in fields) {
    if (!looksPlain(fields[key], level + 1, containers) || !key.isWellFormed()) return false;
  }
  return true;
}

const NONE: readonly never[] = [];
const ODD = Symbol("odd");

/** Copies a value that needs no repair, which is nearly every one; `ODD` for any other. */
function quickCopy(value: unknown, level: number, containers: { left: number }): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : ODD;
  if (typeof value === "bigint") return ODD;
  if (typeof value !== "object" || value === null) return value;
  containers.left -= 1;
  if (level > MAX_LEVELS || containers.left < 0 || isOdd(value)) return ODD;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const copy = quickCopy(item, level + 1, containers);
      if (copy === ODD) return ODD;
      items.push(copy);
    }
    return items;
  }
  const fields: Record<string, unknown> = { ...value };
  for (const key in fields) {
    const copy = quickCopy(fields[key], level + 1, containers);
    if (copy === ODD || !key.isWellFormed()) return ODD;
    if (typeof copy === "object") fields[key] = copy;
  }
  return fields;
}

/** Whether copying the fields is not enough: a Map, for example, has none, and a guard would see it empty. */
function isOdd(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isUsual = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  return !isUsual || "toJSON" in value;
}

class NotJson extends Error {}

function whyNotJson(error: unknown): string {
  if (error instanceof NotJson) return error.message;
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** Repairs values where possible. */
class CarefulCopy {
  repaired = false;
  readonly #onUnusable: OnUnusable;
  readonly #above = new Set<object>();
  #containersLeft = MAX_CONTAINERS;

  constructor(onUnusable: OnUnusable) {
    this.#onUnusable = onUnusable;
  }

  of(value: unknown, level: number): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "bigint") return this.#unusable(value, "contains a BigInt", String(value));
    return typeof value === "object" && value !== null ? this.#container(value, level) : value;
  }

  #text(text: string): string {
    this.repaired ||= !text.isWellFormed();
    return text.toWellFormed();
  }

  #container(value: object, level: number): unknown {
    this.#containersLeft -= 1;
    if (this.#above.has(value)) return this.#unusable(value, "contains itself", "[circular]");
    if (level > MAX_LEVELS && this.#onUnusable === "withhold") return TOO_DEEP;
    if (level > MAX_LEVELS) return this.#unusable(value, `is nested deeper than ${MAX_LEVELS} levels`, TOO_DEEP);
    if (this.#containersLeft < 0)
      return this.#unusable(value, `holds more than ${MAX_CONTAINERS} objects`, "[withheld: too large]");
    this.#above.add(value);
    try {
      return this.#content(value, level);
    } catch (error) {
      return this.#unusable(value, whyNotJson(error), "[unreadable]");
    } finally {
      this.#above.delete(value);
    }
  }

  #content(value: object, level: number): unknown {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      this.repaired = true;
      return this.of(value.toJSON(""), level + 1);
    }
    if (types.isMap(value) || types.isSet(value)) {
      this.repaired = true;
      return this.of(unwrapped(value), level + 1);
    }
    if (Array.isArray(value)) return value.map((item) => this.of(item, level + 1));
    // Not by assignment, which would set the prototype for "__proto__".
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [this.#text(key), this.of(field, level + 1)]),
    );
  }

  #unusable(value: unknown, why: string, note: string): unknown {
    if (this.#onUnusable === "note") return note;
    if (this.#onUnusable === "keep") return value;
    throw new NotJson(why);
  }
}
