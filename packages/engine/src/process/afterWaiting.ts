const LONGEST_TIMER_MS = 2 ** 31 - 1; // Node fires a longer one at once

/**
 * When the caller has kept the thread busy, a timer comes due before an exit or an output that happened long ago has been
 * noticed. The immediate lets the event loop look once more before anything is lost.
 */
export function afterWaiting(ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), Math.min(ms, LONGEST_TIMER_MS));
}
