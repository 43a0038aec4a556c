/**
 * Times the contenders in turns, so that whatever slows the machine slows all of them: one batch each per round, every
 * other round backwards. Answers the median time per operation of each, in microseconds.
 */
export async function measure(contenders, { rounds = 60, batchMs = 25 } = {}) {
  const runners = [];
  for (const [name, operation] of Object.entries(contenders)) {
    runners.push({ name, operation, batch: await batchSize(operation, batchMs), samples: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const runner of round % 2 ? runners.toReversed() : runners) {
      runner.samples.push((await timeBatch(runner.operation, runner.batch)) / runner.batch);
    }
  }
  return Object.fromEntries(runners.map(({ name, samples }) => [name, median(samples) * 1000]));
}

const WARM_UP_MS = 500;

/**
 * Warms the operation up and says how many of it fill a batch. Batches are long enough to contain their share of
 * garbage collection: with short ones the median would hide it.
 */
async function batchSize(operation, batchMs) {
  const until = performance.now() + WARM_UP_MS;
  let count = 0;
  let each = 0;
  while (performance.now() < until) {
    const batch = Math.max(1, count >> 2);
    each = (await timeBatch(operation, batch)) / batch;
    count += batch;
  }
  return Math.max(1, Math.round(batchMs / each));
}

async function timeBatch(operation, batch) {
  const start = performance.now();
  for (let i = 0; i < batch; i++) await operation(i);
  return performance.now() - start;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
