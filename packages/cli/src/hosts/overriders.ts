import type { Dialect } from "@hookline/engine/program";

/** What can undo a guard's answer in this host. */
export function overridersOf({ events }: Dialect): readonly string[] {
  const all = Object.values(events).flatMap((event) => (event.ours === null ? [] : Object.values(event.can)));
  const named = all.flatMap((able) => (able.is !== "no" && able.overriddenBy !== undefined ? [able.overriddenBy] : []));
  return [...new Set(named)];
}
