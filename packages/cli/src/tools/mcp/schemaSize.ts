/** Keywords that change the target of references. */
const NAMES_ELSEWHERE = ["$id", "id", "$anchor", "$dynamicRef", "$recursiveRef"];

/**
 * The number of values in a schema after expanding every `$ref`: the upper bound of a validator's work per checked value. Infinite
 * for circular or external references, and for `uniqueItems`, which compares every pair of items.
 */
export function expandedSize(schema: unknown): number {
  const sizes = new Map<object, number>();
  return sizeOf(schema);

  function sizeOf(value: unknown): number {
    if (typeof value !== "object" || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    sizes.set(value, Number.POSITIVE_INFINITY); // meeting it again below itself means a circle
    let size = 1;
    for (const [key, part] of Object.entries(value)) size += sizeOf(part) + extraSize(key, part);
    sizes.set(value, size);
    return size;
  }

  function extraSize(key: string, part: unknown): number {
    if (key === "$ref" && typeof part === "string") return sizeOf(targetOf(schema, part) ?? { uniqueItems: true });
    const isUnbounded =
      (key === "uniqueItems" && part === true) || (NAMES_ELSEWHERE.includes(key) && typeof part === "string");
    return isUnbounded ? Number.POSITIVE_INFINITY : 0;
  }
}

/** Resolves a reference such as `#/$defs/name`. */
function targetOf(schema: unknown, reference: string): unknown {
  const [place, ...keys] = reference.split("/");
  if (place !== "#") return undefined;
  return keys.reduce((value: unknown, key) => {
    const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof value === "object" && value !== null
      ? Object.entries(value).find(([own]) => own === name)?.[1]
      : undefined;
  }, schema);
}
