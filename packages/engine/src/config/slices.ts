import { setImmediate } from "node:timers/promises";
import { withSameAnswers } from "../process/sameAnswers.ts";

const SLICE_MS = 20;

/** `map` in slices: the event loop of the embedding program goes on between them. Look-ups are made once for all. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  one: (item: Item) => Result,
): Promise<readonly Result[]> {
  const during = {};
  const results: Result[] = [];
  while (results.length < items.length) {
    if (results.length > 0) await setImmediate();
    const until = performance.now() + SLICE_MS;
    withSameAnswers(during, () => {
      do results.push(...items.slice(results.length, results.length + 1).map(one));
      while (results.length < items.length && performance.now() < until);
    });
  }
  return results;
}
