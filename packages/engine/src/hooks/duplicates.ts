import { isDeepStrictEqual } from "node:util";
import { TRUST_LEVEL } from "../config/hookDeclaration.ts";
import type { PlannedHook } from "./hookPlanner.ts";

/** Hooks that would do the same twice run once, under the first one's name, with the strictest settings of all. */
export function mergeDuplicates(hooks: readonly PlannedHook[]): PlannedHook[] {
  const kept: PlannedHook[] = [];
  const byTarget = new Map<unknown, number[]>();
  for (const hook of hooks) {
    const identity = hook.entry.config.target?.identity;
    const candidates = identity === undefined ? [] : (byTarget.get(identity) ?? []);
    const index = candidates.find((candidate) => isDuplicate(kept[candidate], hook));
    const first = index === undefined ? undefined : kept[index];
    if (index !== undefined && first) {
      kept[index] = strictestOf(first, hook);
      continue;
    }
    byTarget.set(identity, [...candidates, kept.length]);
    kept.push(hook);
  }
  return kept;
}

/** Never across trust: nobody's copy disarms a guard. */
function isDuplicate(first: PlannedHook | undefined, second: PlannedHook): boolean {
  if (!first) return false;
  const [a, b] = [first.entry.config, second.entry.config];
  return (
    TRUST_LEVEL[a.source] === TRUST_LEVEL[b.source] &&
    a.type === b.type &&
    first.subject === second.subject &&
    isDeepStrictEqual(a.env, b.env) &&
    isDeepStrictEqual(a.passEnv, b.passEnv)
  );
}

function strictestOf(first: PlannedHook, second: PlannedHook): PlannedHook {
  const [a, b] = [first.entry.config, second.entry.config];
  const config = {
    ...a,
    mode: a.mode === "enforce" ? a.mode : b.mode,
    onError: a.onError === "block" ? a.onError : b.onError,
    blocking: a.blocking || b.blocking,
    hold: a.hold || b.hold,
    timeoutMs: Math.max(a.timeoutMs, b.timeoutMs),
  };
  const sequential = first.entry.sequential || second.entry.sequential;
  return { ...first, entry: { ...first.entry, config, sequential }, duplicates: [...first.duplicates, second.entry] };
}
