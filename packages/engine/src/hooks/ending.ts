import type { Captured, ProcessEnding } from "../process/ending.ts";

/** How one run of a hook ended, whatever its kind: a process, or a function in this one. */
export type Ending =
  | ProcessEnding
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  /** It held the thread beyond its timeout and answered only then. */
  | { readonly kind: "overran"; readonly afterMs: number; readonly value: unknown };

export const NOTHING_CAPTURED: Captured = { stdout: "", stderr: "", stdoutTruncated: false, stderrTruncated: false };
