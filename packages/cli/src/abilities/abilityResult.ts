/** The result of an execution. */
export interface AbilityResult {
  readonly status: "success" | "partial" | "failure";
  readonly output: unknown;
  /** Paths from the project root, with slashes. */
  readonly changedFiles: readonly string[];
  readonly durationMs: number;
  /** Why it failed. */
  readonly error?: string;
}

/** The end of an execution: a result, or the caller aborted it. */
export type Executed = AbilityResult | { readonly status: "interrupted"; readonly durationMs: number };

/** A result without its duration. */
export type AbilityAnswer = Omit<AbilityResult, "durationMs">;

export function failed(error: string, output: unknown = ""): AbilityAnswer {
  return { status: "failure", output, changedFiles: [], error };
}
