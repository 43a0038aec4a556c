import { isIn, readPattern } from "./textPattern.ts";

/** One thing that is not as a test expects it. */
export type Mismatch =
  | {
      readonly kind: "differs";
      /** As the test file has it, dotted: `rewrite.tool_input.content`. */
      readonly field: string;
      readonly how: "equals" | "contains" | "matches";
      readonly expected: unknown;
      /** Undefined: there is none. */
      readonly actual: unknown;
    }
  /** It could not even be compared. */
  | { readonly kind: "fault"; readonly field: string; readonly what: string };

/** A text against what it must contain or match; null: there must be none. Nothing expected, nothing compared. */
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
