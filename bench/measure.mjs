import { timeHere } from "./apart.mjs";

/** For cases on one processor: compiling hot code competes for it, and has to be over before anything is timed. */
export const STEADY = { warmUpMs: 3_000 };

/**
 * Times the contenders in turns, so that whatever slows the machine slows all of them: one batch each per round, every
 * other round backwards. A contender is a function, or an operation in a thread of its own (`apart`). Answers the median time per operation of each, in microseconds.
 */
export async function measure(contenders, { rounds = 60, batchMs = 25, warmUpMs = 500 } = {}) {
  const runners = [];
  for (const [name, contender] of Object.entries(contenders)) {
    const timeBatch = contender.timeBatch ?? ((batch) => timeHere(contender, batch));
    runners.push({ name, timeBatch, batch: await batchSize(timeBatch, batchMs, warmUpMs), samples: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const runner of round % 2 ? runners.toReversed() : runners) {
      runner.samples.push((await runner.timeBatch(runner.batch)) / runner.batch);
    }
  }
  return Object.fromEntries(runners.map(({ name, samples }) => [name, median(samples) * 1000]));
}

/**
 * Warms the operation up and says how many of it fill a batch. Batches are long enough to contain their share of
 * garbage collection: with short ones the median would hide it.
 */
async function batchSize(timeBatch, batchMs, warmUpMs) {
  const until = performance.now() + warmUpMs;
  let count = 0;
  let each = 0;
  while (performance.now() < until) {
    const batch = Math.max(1, count >> 2);
    each = (await timeBatch(batch)) / batch;
    count += batch;
  }
  return Math.max(1, Math.round(batchMs / each));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
