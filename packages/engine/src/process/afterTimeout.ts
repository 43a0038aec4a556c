const LONGEST_TIMER_MS = 2 ** 31 - 1; // Node fires a longer one immediately

/**
 * If the caller has blocked the thread, a timer fires before the event loop has noticed an exit or output that happened
 * long ago. The immediate lets the event loop poll once more before anything is lost.
 */
export function afterTimeout(ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), Math.min(ms, LONGEST_TIMER_MS));
}
