const OBJECTIONS: ReadonlySet<string> = new Set(["block", "stop", "ask"]);

/** The outcome of a run for its event: an observing hook's objection counts as what it would have done. */
export function effectiveOutcome(outcome: string, applied: boolean | undefined): string {
  return applied === false && OBJECTIONS.has(outcome) ? `would ${outcome}` : outcome;
}
