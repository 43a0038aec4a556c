const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** `0.35 ms`, `6.2 ms`, `12 ms`, `1.2 s`, `4 min`: three digits are enough. */
export function durationText(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  return ms < 2 * MINUTE_MS ? `${(ms / SECOND_MS).toFixed(1)} s` : `${Math.round(ms / MINUTE_MS)} min`;
}
