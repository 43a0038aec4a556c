import { z } from "zod";

const UNITS = { B: 1, KB: 1e3, KiB: 1024, MB: 1e6, MiB: 1024 ** 2, GB: 1e9, GiB: 1024 ** 3 } as const;
const WITH_UNIT = /^(\d+(?:\.\d+)?)\s*([KMG]i?B|B)?$/;

/** For editors. */
export const sizeSchema = z.union([z.string().regex(WITH_UNIT), z.number().min(0)]);

export type Size = { readonly bytes: number } | { readonly error: string };

/** A string with its unit (`"1MiB"`, `"512KiB"`, `"2MB"`), or a bare number of bytes. */
export function readSize(value: unknown): Size {
  const text = typeof value === "number" ? String(value) : value;
  const [, amount, unit = "B"] = typeof text === "string" ? (WITH_UNIT.exec(text.trim()) ?? []) : [];
  if (amount === undefined || !isUnit(unit))
    return { error: 'is not a size; write "1MiB", "512KiB" or a number of bytes' };
  const bytes = Math.floor(Number(amount) * UNITS[unit]);
  return bytes >= 1 && Number.isSafeInteger(bytes) ? { bytes } : { error: 'is out of range; write "1MiB"' };
}

function isUnit(text: string): text is keyof typeof UNITS {
  return Object.hasOwn(UNITS, text);
}
