import { isRecord } from "../answer/answer.ts";
import type { Fields } from "../run/rewrites.ts";
import { sameJson } from "./sameJson.ts";

export type PlainKind = "number" | "text" | "boolean" | "texts" | "list" | "object";

interface Rules {
  /** Fields with the kind of value they accept. */
  readonly settable: ReadonlyMap<string, PlainKind>;
  readonly hidden: ReadonlySet<string>;
}

// Deeper than any setting; also stops at values that contain themselves.
const MAX_DEPTH = 32;

/** The fields that can be written as JSON, unchanged. */
export function plainFields(fields: Fields, rules: Rules): Record<string, unknown> {
  const shown = Object.entries(fields).filter(([key, value]) => isShown(key, value, rules));
  return Object.fromEntries(shown);
}

/** The base with the changed values that have the right kind. Without a change, the base itself. */
export function mergePlain<Base extends object>(base: Base, changed: unknown, rules: Rules): Base {
  if (!isRecord(changed)) return base;
  const { taken } = readPlain(base, changed, rules);
  return taken.length === 0 ? base : { ...base, ...Object.fromEntries(taken) };
}

/** The fields that change something, and the names of those that cannot. */
export function readPlain(
  base: unknown,
  changed: Fields,
  rules: Rules,
): { readonly taken: readonly [string, unknown][]; readonly ignored: readonly string[] } {
  const before: Fields = isRecord(base) ? base : {};
  const given = Object.entries(changed).filter(([key, value]) => value != null && !sameJson(before[key], value));
  const isTaken = ([key, value]: [string, unknown]) => {
    // Also covers fields of a later SDK: a hook may change a given value to another of the same kind.
    const kind = rules.settable.get(key) ?? (Object.hasOwn(before, key) ? kindOf(before[key]) : undefined);
    return kind !== undefined && isShown(key, value, rules) && fits(value, kind);
  };
  return { taken: given.filter(isTaken), ignored: given.filter((field) => !isTaken(field)).map(([key]) => key) };
}

function isShown(key: string, value: unknown, { settable, hidden }: Rules): boolean {
  if (hidden.has(key) || value === undefined || value === null || !isJson(value)) return false;
  const kind = settable.get(key);
  return kind === undefined || fits(value, kind);
}

function fits(value: unknown, kind: PlainKind): boolean {
  if (kind === "texts") return Array.isArray(value) && value.every((item) => typeof item === "string");
  return kindOf(value) === kind;
}

function kindOf(value: unknown): PlainKind | undefined {
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (Array.isArray(value)) return "list";
  return isRecord(value) ? "object" : undefined;
}

function isJson(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}
