import { setImmediate } from "node:timers/promises";
import { withSameAnswers } from "../../process/sameAnswers.ts";

const SLICE_MS = 20;

/** `map` in slices, so that the embedding program's event loop keeps running. File lookups are cached across slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  one: (item: Item) => Result,
): Promise<readonly Result[]> {
  const during = {};
  const results: Result[] = [];
  const rest = items.values();
  while (results.length < items.length) {
    if (results.length > 0) await setImmediate();
    const until = performance.now() + SLICE_MS;
    withSameAnswers(during, () => {
      for (const item of rest) {
        results.push(one(item));
        if (performance.now() >= until) break; // the next slice continues here
      }
    });
  }
  return results;
}

/** The same for asynchronous work, one item at a time: never opens many files at once. */
export async function mapInTurn<Item, Result>(
  items: readonly Item[],
  one: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let until = performance.now() + SLICE_MS;
  for (const item of items) {
    if (performance.now() >= until) {
      await setImmediate();
      until = performance.now() + SLICE_MS;
    }
    results.push(await one(item));
  }
  return results;
}
