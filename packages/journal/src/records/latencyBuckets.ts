/** Buckets grow by a tenth, so that a percentile read from them is at most a tenth too high: 1 µs is 0, 1 s is about 145. */
const GROWTH = Math.log(1.1);

export function bucketOf(durationUs: number): number {
  return durationUs <= 1 ? 0 : Math.ceil(Math.log(durationUs) / GROWTH);
}

/** The longest duration that falls into it. */
export function upperBoundUs(bucket: number): number {
  return Math.exp(bucket * GROWTH);
}

/** The duration that this part (0.5, 0.95) of the runs did not exceed; undefined without runs. */
export function percentileUs(buckets: ReadonlyMap<number, number>, part: number): number | undefined {
  const total = [...buckets.values()].reduce((sum, runs) => sum + runs, 0);
  if (total === 0) return undefined;
  let seen = 0;
  for (const [bucket, runs] of [...buckets].toSorted(([one], [other]) => one - other)) {
    seen += runs;
    if (seen >= total * part) return upperBoundUs(bucket);
  }
  return undefined;
}
