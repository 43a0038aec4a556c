import { isIn, readPattern } from "./textPattern.ts";

/** A difference between the result of a case and its expectation. */
export type Mismatch =
  | {
      readonly kind: "differs";
      /** The dotted path in the test file: `rewrite.tool_input.content`. */
      readonly field: string;
      readonly how: "equals" | "contains" | "matches";
      readonly expected: unknown;
      /** Undefined: absent. */
      readonly actual: unknown;
    }
  /** The comparison itself failed. */
  | { readonly kind: "fault"; readonly field: string; readonly what: string };

/** Compares a text with what it must contain or match; null: it must be absent; undefined: no expectation. */
export function textMismatch(
  field: string,
  wanted: string | null | undefined,
  actual: string | undefined,
): readonly Mismatch[] {
  if (wanted === undefined || (wanted === null && !actual)) return [];
  if (wanted === null) return [{ kind: "differs", field, how: "equals", expected: undefined, actual }];
  const pattern = readPattern(wanted);
  if (actual !== undefined && isIn(pattern, actual)) return [];
  return [{ kind: "differs", field, how: pattern.kind, expected: wanted, actual }];
}
