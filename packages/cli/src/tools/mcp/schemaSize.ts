/** They make a reference mean something else than its path says. */
const NAMES_ELSEWHERE = ["$id", "id", "$anchor", "$dynamicRef", "$recursiveRef"];

/**
 * How many values a schema has once every `$ref` is replaced by what it points to: a validator does at most that much for each value that it checks.
 * Infinite where references lead in a circle or out of the schema, and for `uniqueItems`, which compares every item with every other.
 */
export function expandedSize(schema: unknown): number {
  const sizes = new Map<object, number>();
  return sizeOf(schema);

  function sizeOf(value: unknown): number {
    if (typeof value !== "object" || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    sizes.set(value, Number.POSITIVE_INFINITY); // who meets it again below itself goes in a circle
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

/** What `#/$defs/name` points to. */
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
