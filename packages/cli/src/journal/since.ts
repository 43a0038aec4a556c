import { HooklineError } from "@hookline/engine";

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const AGO = /^(\d{1,5})\s*(s|m|h|d)$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Parses `10m`, `2h`, `3d`, `today`, or an ISO date or time to milliseconds since 1970. Without a zone, it is local
 * time.
 */
export function readSince(text: string, now: number): number {
  const given = text.trim();
  const [, amount, unit] = AGO.exec(given) ?? [];
  if (amount !== undefined && isUnit(unit)) return now - Number(amount) * UNITS_MS[unit];
  if (given === "today") return new Date(now).setHours(0, 0, 0, 0);
  // Date.parse would read a date without a time as UTC.
  if (DATE.test(given)) return valid(text, Date.parse(`${given}T00:00`));
  return valid(text, DATE_TIME.test(given) ? Date.parse(given.replace(" ", "T")) : Number.NaN);
}

function valid(text: string, at: number): number {
  if (Number.isFinite(at)) return at;
  const what = `--since must be like 10m, 2h, 3d, today, 2025-11-03 or 2025-11-03T09:30, got ${JSON.stringify(text)}.`;
  throw new HooklineError({ code: "OPTION_INVALID", what });
}

function isUnit(unit: string | undefined): unit is keyof typeof UNITS_MS {
  return unit !== undefined && Object.hasOwn(UNITS_MS, unit);
}
