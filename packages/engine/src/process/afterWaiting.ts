const LONGEST_TIMER_MS = 2 ** 31 - 1; // Node fires a longer one at once

/**
 * When the caller has kept the thread busy, a timer comes due before an exit or an output that happened long ago has been
 * noticed. The immediate lets the event loop look once more before anything is lost.
 */
export function afterWaiting(ms: number, act: () => void): NodeJS.Timeout;
export function afterWaiting<Given>(ms: number, act: (given: Given) => void, given: Given): NodeJS.Timeout;
export function afterWaiting(ms: number, act: (given?: unknown) => void, given?: unknown): NodeJS.Timeout {
  return setTimeout(lookOnceMore, Math.min(ms, LONGEST_TIMER_MS), act, given);
}

function lookOnceMore(act: (given?: unknown) => void, given: unknown): void {
  setImmediate(act, given);
}
