import { types } from "node:util";

/**
 * Unwraps a value as JSON would show it: a Map becomes its entries, a Set its items, a boxed value or bytes
 * their content, an object with `toJSON` its result. Any other value is returned unchanged. Never throws.
 */
export function unwrapped(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    if (isPlain(value)) return "toJSON" in value ? fromToJson(value) : value;
    if (types.isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [String(key), item]));
    if (types.isSet(value)) return [...value];
    if (types.isBoxedPrimitive(value)) return value.valueOf();
    if (types.isUint8Array(value)) return Buffer.from(value).toString();
    return isInstance(value) && "toJSON" in value ? fromToJson(value) : value;
  } catch {
    return value;
  }
}

function fromToJson(value: object & { toJSON: unknown }): unknown {
  return typeof value.toJSON === "function" ? value.toJSON("") : value;
}

/** Safe for a revoked proxy, which throws. */
export function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** An object literal, parsed JSON, or a list: reading it runs no code. */
export function isPlain(value: object): boolean {
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    // An object literal from another realm has that realm's prototype.
    if (prototype === Object.prototype || prototype === null || Array.isArray(value)) return true;
    return Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
}

/**
 * Whether an object may be an answer: a literal, or an instance of a user-defined class. If a hook returns an Error, a Date, a Response
 * or a generator, that is a mistake in the hook, and not an answer about the action.
 */
export function isInstance(value: object): boolean {
  return isPlain(value) || kindOf(value) === "Object";
}

/** `Date`, `Error`, `Response`: the runtime's name for it. */
export function kindOf(value: object): string {
  try {
    return Object.prototype.toString.call(value).slice("[object ".length, -1);
  } catch {
    return "Object";
  }
}
