const OBJECTIONS: ReadonlySet<string> = new Set(["block", "stop", "ask"]);

/** What a run came to for its event: the objection of a hook that only looks on is what it would have done. */
export function effectiveOutcome(outcome: string, applied: boolean | undefined): string {
  return applied === false && OBJECTIONS.has(outcome) ? `would ${outcome}` : outcome;
}
