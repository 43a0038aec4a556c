import { isDeepStrictEqual } from "node:util";
import type { EventSpec } from "../../events/eventSpec.ts";
import { isRecord } from "../answer/answer.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** An answer field in the stable form, and the parts of it without meaning. */
export interface FormReading {
  readonly value: Fields;
  readonly ignored: readonly string[];
}

/** One field that a hook wants to change: `["tool_input", "content"]`, `["prompt"]`. */
export interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The actual changes to this value; a rewrite to the same value is not a change. */
export function changesTo(current: Fields, requested: Fields, spec: EventSpec): Change[] {
  const wanted = spec.rewrites.flatMap(({ field, how, deep = [] }): Change[] => {
    const value = requested[field];
    if (value === undefined) return [];
    if (how === "replace" || !isRecord(value)) return [{ path: [field], value }];
    return Object.entries(value).flatMap(([key, part]): Change[] =>
      deep.includes(key) && isRecord(part)
        ? Object.entries(part).map(([inner, leaf]) => ({ path: [field, key, inner], value: leaf }))
        : [{ path: [field, key], value: part }],
    );
  });
  return wanted.filter(({ path, value }) => !isDeepStrictEqual(valueAt(current, path), value));
}

/** A new value with the changes applied in order; the original is not modified. */
export function applyChanges(current: Fields, changes: readonly Change[]): Fields {
  return changes.reduce((fields, { path, value }) => replaceAt(fields, path, value), current);
}

export function valueAt(fields: unknown, path: readonly string[]): unknown {
  let value = fields;
  for (const key of path) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

export function samePath(a: Change, b: Change): boolean {
  return a.path.length === b.path.length && a.path.every((key, index) => key === b.path[index]);
}

function replaceAt(fields: Fields, path: readonly string[], value: unknown): Fields {
  const [key, ...rest] = path;
  if (key === undefined) return fields;
  const inner = fields[key];
  const next = rest.length === 0 ? value : replaceAt(isRecord(inner) ? inner : {}, rest, value);
  // A computed key defines "__proto__" as a regular field; plain assignment would change the prototype.
  return { ...fields, [key]: next };
}
