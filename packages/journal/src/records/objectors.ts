import type { JournalRecord } from "./record.ts";

/** An event with the runs and skips of its hooks, as far as it matters who decided. */
interface Decided {
  readonly record: Pick<JournalRecord, "outcome">;
  readonly hooks: readonly JournalRecord[];
}

/** The runs that made the recorded decision what it was; none of an event that was allowed. */
export function objectors(item: Decided): readonly JournalRecord[] {
  return appliedRuns(item).filter(({ outcome }) => decides(outcome, item.record.outcome));
}

/** Runs whose answer counted. */
export function appliedRuns({ hooks }: Pick<Decided, "hooks">): readonly JournalRecord[] {
  return hooks.filter(({ kind, body }) => kind === "run" && body.applied === true);
}

/** A block and a stop stand side by side; an ask counts only without them. */
export function decides(outcome: string, decision: string): boolean {
  if (decision === "ask") return outcome === "ask";
  return decision !== "allow" && (outcome === "block" || outcome === "stop");
}
