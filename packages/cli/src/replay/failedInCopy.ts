import type { LogItem } from "@hookline/journal";
import { appliedRuns } from "@hookline/journal/program";
import type { HookNote, Verdict } from "./verdict.ts";

interface Sides {
  readonly before: Verdict;
  readonly after: Verdict;
  /** Hooks that failed in the copy, whatever came of that. */
  readonly failed: readonly HookNote[];
}

/**
 * The hook by whose failure two verdicts may differ: it decided something on either side, fails in the copy, and did not fail when
 * the event was recorded. The copy may lack what it needs, so that nobody can say what it would decide.
 */
export function failedInCopy(item: LogItem, { before, after, failed }: Sides): HookNote | undefined {
  const hasFailedBefore = new Set(
    appliedRuns(item)
      .filter(({ outcome, body }) => outcome === "failed" || body.failure !== undefined)
      .map(({ hook }) => hook),
  );
  const deciders = new Set([...before.hooks, ...before.rewrites.map(({ hook }) => hook), ...after.hooks]);
  return failed.find(({ hook }) => deciders.has(hook) && !hasFailedBefore.has(hook));
}
