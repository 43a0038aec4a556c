const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `2025-11-16T09:23:43.120Z`. Null for an invalid time: a database shipped with a project may contain anything. */
export function isoTime(at: number): string | null {
  const date = new Date(at);
  return isTime(date) ? date.toISOString() : null;
}

/** `11-16 09:23:43` in local time. Without the year, because records older than a month are not kept. */
export function localTime(at: number): string {
  const date = new Date(at);
  if (!isTime(date)) return "(no time)";
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

function isTime(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}

/** `3 min ago`. Clocks of two machines may differ: treat a future time as now. */
export function ago(at: number, now: number): string {
  const ms = now - at;
  if (ms < SECOND_MS) return "now";
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s ago`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h ago` : `${Math.floor(ms / DAY_MS)} d ago`;
}
