import type { Entry } from "./located.ts";
import { nearest } from "./nearest.ts";
import { doubt, invalid, type Report } from "./problem.ts";

interface Expected {
  readonly known: readonly string[];
  /** What these are fields of: `an ability`. */
  readonly of: string;
  /** What to do about a key that belongs elsewhere. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** A key that was probably meant for another is an error: it may be what restricts. One that is merely strange is a doubt. */
export function reportUnknownKeys(
  entries: readonly Entry[],
  { known, of, hints = {} }: Expected,
  report: Report,
): void {
  for (const { key, keyPlace: where } of entries) {
    if (known.includes(key)) continue;
    const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
    const guess = nearest(key, known);
    const what = `"${key}" is no field of ${of}.`;
    if (hint !== undefined) report(invalid(where, `"${key}" has no meaning here.`, hint));
    else if (guess !== undefined) report(invalid(where, `${what} Did you mean "${guess}"?`, `Write "${guess}".`));
    else report(doubt({ where, what, next: `The fields are ${known.join(", ")}.` }));
  }
}
