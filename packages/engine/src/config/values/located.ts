import type { Place } from "../../errors.ts";

/** A value of a settings file with its position; both JSON and YAML are read into this. */
export type Located = LocatedScalar | LocatedList | LocatedMap;

export interface LocatedScalar {
  readonly kind: "scalar";
  readonly value: unknown;
  readonly place: Place;
}
export interface LocatedList {
  readonly kind: "list";
  readonly items: readonly Located[];
  readonly place: Place;
}
/** Entries in file order, including repeated keys: nothing is lost before it is reported. */
export interface LocatedMap {
  readonly kind: "map";
  readonly entries: readonly Entry[];
  readonly place: Place;
}
export interface Entry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Located;
}

export function plain(node: Located): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plain);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  }
}

/** The value as quoted in messages: short JSON. */
export function shown(node: Located): string {
  return quoted(plain(node));
}

export function quoted(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

export function entriesNamed(map: LocatedMap, key: string): readonly Entry[] {
  return map.entries.filter((entry) => entry.key === key);
}

/** The entry that counts if a key is repeated: the last one, as in JSON. */
export function entryNamed(map: LocatedMap, key: string): Entry | undefined {
  return map.entries.findLast((entry) => entry.key === key);
}

/** Every entry that repeats an earlier key of the same map, with the first entry of that key. */
export function repeatedEntries(map: LocatedMap): readonly { readonly first: Entry; readonly again: Entry }[] {
  const seen = new Map<string, Entry>();
  return map.entries.flatMap((entry) => {
    const first = seen.get(entry.key);
    if (first === undefined) seen.set(entry.key, entry);
    return first === undefined ? [] : [{ first, again: entry }];
  });
}
