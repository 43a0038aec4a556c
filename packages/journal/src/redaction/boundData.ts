import { isFields } from "@hookline/engine/program";
import { cutText } from "./cutText.ts";

const SHORTEST_TEXT = 32;
/** Limits of items and fields, tried in turn. */
const MOST_ITEMS = [1_000, 100, 20, 5, 1];

/**
 * Bounds plain data to this many bytes of JSON: shortens the longest texts first, then lists, so that the shape stays.
 */
export function boundData(value: unknown, maxBytes: number): unknown {
  if (fits(value, maxBytes)) return value;
  let bounded = value;
  for (let longest = maxBytes; longest >= SHORTEST_TEXT; longest /= 2) {
    bounded = shortened(bounded, Math.floor(longest));
    if (fits(bounded, maxBytes)) return bounded;
  }
  for (const most of MOST_ITEMS) {
    const shorter = fewer(bounded, most);
    if (fits(shorter, maxBytes)) return shorter;
  }
  // Each quote in it takes two bytes.
  return cutText(JSON.stringify(bounded), Math.floor(maxBytes / 2));
}

function fits(value: unknown, maxBytes: number): boolean {
  return Buffer.byteLength(JSON.stringify(value) ?? "") <= maxBytes;
}

function shortened(value: unknown, longest: number): unknown {
  if (typeof value === "string") return cutText(value, longest);
  return mapped(value, (item) => shortened(item, longest));
}

function fewer(value: unknown, most: number): unknown {
  const kept = mapped(value, (item) => fewer(item, most));
  if (Array.isArray(kept) && kept.length > most + 1) return [...kept.slice(0, most), moreNote(kept.length - most)];
  if (!isFields(kept)) return kept;
  const fields = Object.entries(kept);
  if (fields.length <= most + 1) return kept;
  return Object.fromEntries([...fields.slice(0, most), ["…", moreNote(fields.length - most)]]);
}

export function moreNote(count: number): string {
  return `… (cut: ${count.toLocaleString("en-US")} more)`;
}

function mapped(value: unknown, change: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}
