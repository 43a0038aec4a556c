import { randomFillSync } from "node:crypto";

const IDS_PER_FILL = 128;
const pool = new Uint32Array(2 * IDS_PER_FILL);
let next = pool.length;

/**
 * A random integer below 2^53. A worker may print what a model wrote; with an id that cannot be guessed, no such line
 * passes for an answer.
 */
export function randomRequestId(): number {
  if (next >= pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const high = pool[next] ?? 0;
  const low = pool[next + 1] ?? 0;
  next += 2;
  return (high >>> 11) * 2 ** 32 + low;
}
