import { isRecord } from "../answer/answer.ts";

/** Whether two values are equal as JSON, the form of hooks' answers: it has no `undefined`, `NaN` or dates. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one === "string" && typeof other === "string") return one === other;
  const a = written(one);
  const b = written(other);
  if (a === b) return true;
  if (Array.isArray(a)) {
    const inList = (item: unknown) => written(item) ?? null;
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(inList(item), inList(b[i])));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = presentKeys(a);
  return (
    keys.length === presentKeys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

function presentKeys(fields: Record<string, unknown>): string[] {
  return Object.keys(fields).filter((key) => written(fields[key]) !== undefined);
}

function written(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  return isRecord(value) && typeof value.toJSON === "function" ? value.toJSON() : value;
}
