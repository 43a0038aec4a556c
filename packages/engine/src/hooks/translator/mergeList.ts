interface ListChange<Original, Item> {
  readonly originals: readonly Original[];
  /** How hooks saw an original. */
  readonly show: (original: Original) => Item;
  readonly answered: readonly Item[];
  readonly same: (shown: Item, answered: Item) => boolean;
  /** Cheap to get, and equal where items are the same: spares comparing everything with everything. */
  readonly key: (item: Item) => string;
  /** The original with what was changed; undefined leaves it out. */
  readonly edit: (original: Original, answered: Item) => Original | undefined;
  /** An item that has no original; undefined leaves it out. */
  readonly add: (answered: Item) => Original | undefined;
}

/** Where an answered item comes from: it is an original, a changed original, or new. */
type Origin = { kind: "kept" | "edited"; index: number } | { kind: "added" };

/** The originals as answered: what came back as it was shown is the very original, and without a change so is the list. */
export function mergeList<Original, Item>(change: ListChange<Original, Item>): readonly Original[] {
  const { originals, answered, edit, add } = change;
  const origins = findOrigins(change);
  const merged: Original[] = [];
  for (const [position, item] of answered.entries()) {
    const origin = origins[position] ?? { kind: "added" };
    const original = origin.kind === "added" ? undefined : originals[origin.index];
    // A hole in the caller's list (null) has nothing to edit.
    const made = origin.kind === "kept" ? original : original ? edit(original, item) : add(item);
    if (made !== undefined) merged.push(made);
  }
  const unchanged = merged.length === originals.length && merged.every((item, index) => item === originals[index]);
  return unchanged ? originals : merged;
}

/** The same number of items maps by index; otherwise the common beginning and end are kept, and the middle is replaced. */
function findOrigins<Original, Item>({ originals, show, answered, same, key }: ListChange<Original, Item>): Origin[] {
  const shown = originals.map(show);
  const matches = (from: number, to: number): boolean => {
    const before = shown[from];
    const after = answered[to];
    return before !== undefined && after !== undefined && same(before, after);
  };
  if (shown.length === answered.length) {
    return answered.map((_, index) => ({ kind: matches(index, index) ? "kept" : "edited", index }));
  }
  const shorter = Math.min(shown.length, answered.length);
  const shift = shown.length - answered.length;
  let start = 0;
  while (start < shorter && matches(start, start)) start++;
  let end = answered.length;
  while (end > start && end + shift > start && matches(end - 1 + shift, end - 1)) end--;

  const replaced = placesByKey(shown.slice(start, end + shift).map(key), start);
  let next = start;
  return answered.map((item, position) => {
    if (position < start) return { kind: "kept", index: position };
    if (position >= end) return { kind: "kept", index: position + shift };
    // Where several things were taken out, what still stands between them is not new.
    const index = replaced.get(key(item))?.find((place) => place >= next && matches(place, position));
    if (index === undefined) return { kind: "added" };
    next = index + 1;
    return { kind: "kept", index };
  });
}

function placesByKey(keys: readonly string[], start: number): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [offset, key] of keys.entries()) {
    const known = places.get(key);
    if (known) known.push(start + offset);
    else places.set(key, [start + offset]);
  }
  return places;
}
