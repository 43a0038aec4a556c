import { changedFields, type Difference } from "./difference.ts";

/** Differences of the same kind, oldest first. */
export type Group = readonly [Difference, ...Difference[]];

/** Groups by what changed, for which subject and by which hooks. Ignores reasons and values, because they vary with each event. */
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

/** Sorts changed decisions first and changed reasons last. */
function weight({ aspects }: Difference): number {
  return aspects.includes("decision") ? 0 : aspects.includes("rewrites") ? 1 : 2;
}

function keyOf({ event, subject, aspects, before, after }: Difference): string {
  const fields = aspects.includes("rewrites") ? changedFields(before, after).map(({ path }) => path) : [];
  const decisions = [before.decision, after.decision];
  return JSON.stringify([event, subject, aspects, decisions, before.hooks, after.hooks, fields]);
}
