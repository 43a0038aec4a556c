import type { JournalRecord } from "./record.ts";

/** An event with the runs and skips of its hooks. */
interface Decided {
  readonly record: Pick<JournalRecord, "outcome">;
  readonly hooks: readonly JournalRecord[];
}

/** The runs that caused the recorded decision; empty for an allowed event. */
export function objectors(item: Decided): readonly JournalRecord[] {
  return appliedRuns(item).filter(({ outcome }) => decides(outcome, item.record.outcome));
}

/** Runs whose answer took effect. */
export function appliedRuns({ hooks }: Pick<Decided, "hooks">): readonly JournalRecord[] {
  return hooks.filter(({ kind, body }) => kind === "run" && body.applied === true);
}

/** A block and a stop can both apply; an ask counts only without them. */
export function decides(outcome: string, decision: string): boolean {
  if (decision === "ask") return outcome === "ask";
  return decision !== "allow" && (outcome === "block" || outcome === "stop");
}
