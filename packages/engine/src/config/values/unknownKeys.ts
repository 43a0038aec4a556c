import type { Entry } from "./located.ts";
import { nearest } from "./nearest.ts";
import { doubt, invalid, type Report } from "./problem.ts";

interface Expected {
  readonly known: readonly string[];
  /** The owner of the fields: `an ability`. */
  readonly of: string;
  /** Advice for keys that belong elsewhere. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** A misspelled key is an error: it may have been meant to restrict something. A key that resembles none is a warning. */
export function reportUnknownKeys(
  entries: readonly Entry[],
  { known, of, hints = {} }: Expected,
  report: Report,
): void {
  for (const { key, keyPlace: where } of entries) {
    if (known.includes(key)) continue;
    const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
    const guess = nearest(key, known);
    const what = `"${key}" is not a field of ${of}.`;
    if (hint !== undefined) report(invalid(where, `"${key}" has no meaning here.`, hint));
    else if (guess !== undefined) report(invalid(where, `${what} Did you mean "${guess}"?`, `Write "${guess}".`));
    else report(doubt({ where, what, next: `The fields are ${known.join(", ")}.` }));
  }
}
