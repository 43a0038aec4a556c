import { z } from "zod";

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const WITH_UNIT = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/;

/** For editors. `readDuration` reports errors and values that are too long. */
export const durationSchema = z.union([z.string().regex(WITH_UNIT), z.number().positive()]);

/** Longer than any hook needs, and short enough for a timer. */
const LONGEST_MS = 24 * UNITS.h;

/**
 * `doubt` says how a bare number was read: existing settings files write both `5000` and `30`. `next` says what to do if adding the unit
 * is not the fix.
 */
export type Duration =
  | { readonly ms: number; readonly doubt?: string; readonly next?: string }
  | { readonly error: string };

/** How to read a bare number: in `.gemini` files always as milliseconds, elsewhere by its size. */
export type BareNumber = "guess" | "ms";

/** A string has a unit. A bare number of 1000 or more is milliseconds, below that seconds, unless `bare` is "ms". */
export function readDuration(value: unknown, bare: BareNumber = "guess"): Duration {
  if (typeof value === "string") return readText(value);
  if (typeof value !== "number") return { error: 'is not a duration; write a number with its unit, like "5s"' };
  if (bare === "ms") return readMilliseconds(value);
  const written = value >= 1_000 ? `${value}ms` : `${value}s`;
  const reading = within(value >= 1_000 ? value : value * UNITS.s);
  if ("error" in reading) return reading;
  return { ...reading, doubt: `is read as ${written.replace(/(ms|s)$/, " $1")}; write "${written}"` };
}

/** Few processes answer this fast: a guard whose timeout was meant in seconds would always time out. */
const DOUBTFUL_MS = 250;

function readMilliseconds(value: number): Duration {
  const reading = within(value);
  if ("error" in reading || reading.ms >= DOUBTFUL_MS) return reading;
  const doubt = `is read as ${value} ms, as the Gemini CLI does, and few hooks answer in that time`;
  return { ...reading, doubt, next: `If you mean ${value} seconds, write ${value * UNITS.s}.` };
}

function readText(text: string): Duration {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return { error: `has no unit; write "${trimmed}s" or "${trimmed}ms"` };
  const [, amount, unit] = WITH_UNIT.exec(trimmed) ?? [];
  if (amount === undefined || !isUnit(unit)) return { error: 'is not a duration; write "250ms", "5s", "2m" or "1h"' };
  return within(Number(amount) * UNITS[unit]);
}

function isUnit(text: string | undefined): text is keyof typeof UNITS {
  return text !== undefined && Object.hasOwn(UNITS, text);
}

function within(exactMs: number): Duration {
  const ms = Math.round(exactMs);
  if (!(ms >= 1)) return { error: 'is too short; write "1ms" or more' };
  if (ms > LONGEST_MS) return { error: 'is too long; write "24h" or less' };
  return { ms };
}
