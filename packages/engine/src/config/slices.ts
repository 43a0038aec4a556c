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
  const rest = items.values();
  while (results.length < items.length) {
    if (results.length > 0) await setImmediate();
    const until = performance.now() + SLICE_MS;
    withSameAnswers(during, () => {
      for (const item of rest) {
        results.push(one(item));
        if (performance.now() >= until) break; // the next slice goes on here
      }
    });
  }
  return results;
}
