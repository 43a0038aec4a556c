import type { LogItem } from "@hookline/journal";
import { appliedRuns } from "@hookline/journal/program";
import type { HookNote, Verdict } from "./verdict.ts";

interface Sides {
  readonly before: Verdict;
  readonly after: Verdict;
  /** Hooks that failed in the copy, with or without an effect. */
  readonly failed: readonly HookNote[];
}

/**
 * The hook whose failure may explain a difference: it decided something on either side, fails in the copy, and did not fail when
 * the event was recorded. The copy may lack what it needs, so its decision is unknown.
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
