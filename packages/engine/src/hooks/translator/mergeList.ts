interface ListChange<Original, Item> {
  readonly originals: readonly Original[];
  /** The form of an original that hooks saw. */
  readonly show: (original: Original) => Item;
  readonly answered: readonly Item[];
  readonly same: (shown: Item, answered: Item) => boolean;
  /** Cheap to compute, and equal for equal items: avoids comparing all pairs. */
  readonly key: (item: Item) => string;
  /** The changed original; undefined drops it. */
  readonly edit: (original: Original, answered: Item) => Original | undefined;
  /** Converts an item without an original; undefined drops it. */
  readonly add: (answered: Item) => Original | undefined;
}

/** The origin of an answered item: an original, a changed original, or new. */
type Origin = { kind: "kept" | "edited"; index: number } | { kind: "added" };

/** Applies the answer to the originals: an unchanged item is the original object, and without a change so is the list. */
export function mergeList<Original, Item>(change: ListChange<Original, Item>): readonly Original[] {
  const { originals, answered, edit, add } = change;
  const origins = findOrigins(change);
  const merged: Original[] = [];
  for (const [position, item] of answered.entries()) {
    const origin = origins[position] ?? { kind: "added" };
    const original = origin.kind === "added" ? undefined : originals[origin.index];
    // A hole in the caller's list (null) cannot be edited.
    const made = origin.kind === "kept" ? original : original ? edit(original, item) : add(item);
    if (made !== undefined) merged.push(made);
  }
  const unchanged = merged.length === originals.length && merged.every((item, index) => item === originals[index]);
  return unchanged ? originals : merged;
}

/** Lists of equal length map by index; otherwise the common beginning and end are kept, and the middle is replaced. */
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
    // If several items were removed, the ones between them are not new.
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
