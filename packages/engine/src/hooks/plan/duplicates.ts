import { TRUST_LEVEL } from "../../config/values/configSource.ts";
import type { PlannedHook } from "./hookPlanner.ts";

/** Duplicate hooks run once, under the first one's name, with the strictest settings of all. */
export function mergeDuplicates(hooks: readonly PlannedHook[]): PlannedHook[] {
  const groups: PlannedHook[][] = [];
  const byTarget = new Map<unknown, Map<string, PlannedHook[]>>();
  for (const hook of hooks) {
    const target = hook.entry.config.target?.identity ?? hook;
    const alike = byTarget.get(target) ?? new Map<string, PlannedHook[]>();
    const key = keyOf(hook);
    const group = alike.get(key) ?? [];
    if (group.length === 0) groups.push(group);
    group.push(hook);
    byTarget.set(target, alike.set(key, group));
  }
  return groups.flatMap((group) => (group.length === 1 ? group : strictestOf(group)));
}

/** What duplicates must have in common. Includes trust: a less trusted copy must not disarm a guard. */
function keyOf({ entry, subject }: PlannedHook): string {
  const { source, type, env, passEnv } = entry.config;
  const entries = Object.entries(env);
  const variables = entries.length > 1 ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries;
  return JSON.stringify([TRUST_LEVEL[source], type, subject, variables, passEnv]);
}

function strictestOf([first, ...others]: readonly PlannedHook[]): PlannedHook[] {
  if (first === undefined) return [];
  const entries = [first, ...others].map(({ entry }) => entry);
  const configs = entries.map(({ config }) => config);
  const retries = configs.reduce((most, one) => Math.max(most, one.retries ?? 0), 0);
  const config = {
    ...first.entry.config,
    mode: configs.find(({ mode }) => mode === "enforce")?.mode ?? first.entry.config.mode,
    onError: configs.find(({ onError }) => onError === "block")?.onError ?? first.entry.config.onError,
    blocking: configs.some(({ blocking }) => blocking),
    hold: configs.some(({ hold }) => hold),
    timeoutMs: configs.reduce((longest, { timeoutMs }) => Math.max(longest, timeoutMs), 0),
    ...(retries === 0 ? {} : { retries }),
  };
  const sequential = entries.some((entry) => entry.sequential);
  return [{ ...first, entry: { ...first.entry, config, sequential }, duplicates: others.map(({ entry }) => entry) }];
}
