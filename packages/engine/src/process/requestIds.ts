import { randomFillSync } from "node:crypto";

const IDS_PER_FILL = 128;
const pool = new Uint32Array(2 * IDS_PER_FILL);
let next = pool.length;

/**
 * A random integer below 2^49. A worker may print text that a model wrote; since the id cannot be guessed, no such line
 * can pass for an answer. Numbers of up to 15 digits are several times faster to write and read than longer ones.
 */
export function randomRequestId(): number {
  if (next >= pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const high = pool[next] ?? 0;
  const low = pool[next + 1] ?? 0;
  next += 2;
  return (high >>> 15) * 2 ** 32 + low;
}
