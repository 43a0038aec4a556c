import { timeHere } from "./apart.mjs";

/**
 * Times the contenders in turns, so that whatever slows the machine slows all of them: one batch each per round, every
 * other round backwards. A contender is a function, or an operation in a thread of its own (`apart`). Answers the median time per operation of each, in microseconds.
 */
export async function measure(contenders, { rounds = 60, batchMs = 25 } = {}) {
  const runners = [];
  for (const [name, contender] of Object.entries(contenders)) {
    const timeBatch = contender.timeBatch ?? ((batch) => timeHere(contender, batch));
    runners.push({ name, timeBatch, batch: await batchSize(timeBatch, batchMs), samples: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const runner of round % 2 ? runners.toReversed() : runners) {
      runner.samples.push((await runner.timeBatch(runner.batch)) / runner.batch);
    }
  }
  return Object.fromEntries(runners.map(({ name, samples }) => [name, median(samples) * 1000]));
}

const WARM_UP_MS = 500;

/**
 * Warms the operation up and says how many of it fill a batch. Batches are long enough to contain their share of
 * garbage collection: with short ones the median would hide it.
 */
async function batchSize(timeBatch, batchMs) {
  const until = performance.now() + WARM_UP_MS;
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
