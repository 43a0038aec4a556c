/** Buckets grow by 10 %, so a percentile read from them is at most 10 % too high: 1 µs is bucket 0, 1 s about 145. */
const GROWTH = Math.log(1.1);

export function bucketOf(durationUs: number): number {
  return durationUs <= 1 ? 0 : Math.ceil(Math.log(durationUs) / GROWTH);
}

/** The longest duration in the bucket. */
export function upperBoundUs(bucket: number): number {
  return Math.exp(bucket * GROWTH);
}

/** The duration that this share (0.5, 0.95) of the runs did not exceed; undefined without runs. */
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
