import { changedFields, type Difference } from "./difference.ts";

/** Differences that a person would call the same, oldest first. */
export type Group = readonly [Difference, ...Difference[]];

/** By what changed, for whom and through which hooks; reasons may name files, and values are nobody's pattern. */
export function groupsOf(differences: readonly Difference[]): readonly Group[] {
  const groups = new Map<string, [Difference, ...Difference[]]>();
  for (const difference of differences) {
    const key = keyOf(difference);
    const known = groups.get(key);
    if (known) known.push(difference);
    else groups.set(key, [difference]);
  }
  return [...groups.values()].sort(([one], [other]) => weight(one) - weight(other));
}

/** Other decisions first, other words last. */
function weight({ aspects }: Difference): number {
  return aspects.includes("decision") ? 0 : aspects.includes("rewrites") ? 1 : 2;
}

function keyOf({ event, subject, aspects, before, after }: Difference): string {
  const fields = aspects.includes("rewrites") ? changedFields(before, after).map(({ path }) => path) : [];
  const decisions = [before.decision, after.decision];
  return JSON.stringify([event, subject, aspects, decisions, before.hooks, after.hooks, fields]);
}
