import { isDeepStrictEqual } from "node:util";
import type { EventSpec } from "../../events/eventSpec.ts";
import { isRecord } from "../answer/answer.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A field of an answer in the stable form, and what of it means nothing. */
export interface FormReading {
  readonly value: Fields;
  readonly ignored: readonly string[];
}

/** One field that a hook wants to have another value: `["tool_input", "content"]`, `["prompt"]`. */
export interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** What really changes on this value; a rewrite to the same value is no rewrite. */
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

/** A new value with the changes made, in order; the original stays as it was. */
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
  // A computed key defines "__proto__" as a field of its own; plain assignment would change the prototype.
  return { ...fields, [key]: next };
}
