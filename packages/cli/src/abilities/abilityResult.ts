/** What came of one execution. */
export interface AbilityResult {
  readonly status: "success" | "partial" | "failure";
  readonly output: unknown;
  /** From the project root, with slashes. */
  readonly changedFiles: readonly string[];
  readonly durationMs: number;
  /** Why it failed, in words. */
  readonly error?: string;
}

/** What came of an attempt: a result, or the caller gave up meanwhile. */
export type Executed = AbilityResult | { readonly status: "interrupted"; readonly durationMs: number };

/** A result before anybody looked at the clock. */
export type AbilityAnswer = Omit<AbilityResult, "durationMs">;

export function failed(error: string, output: unknown = ""): AbilityAnswer {
  return { status: "failure", output, changedFiles: [], error };
}
