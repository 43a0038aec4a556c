import { EVENTS, type EventCatalog } from "@hookline/engine";
import type { HookDeclaration } from "@hookline/engine/program";

const catalog: EventCatalog = EVENTS;

/** Summarises when a hook runs: `tool=Edit|Write`, `ability=edit_file`, `paths=src/**`. */
export function matchSummary({ eventName, matcher, match }: HookDeclaration): string {
  const subject = catalog[eventName]?.subject ?? null;
  const { abilityScope, minDurationMs, onlyIfChangedPaths } = match;
  const asked = matcher === undefined || matcher.trim() === "" ? undefined : matcher;
  const parts = [
    ...(abilityScope === undefined ? [] : [`ability=${abilityScope.join(",")}`]),
    ...(subject === null || (asked === undefined && abilityScope !== undefined)
      ? []
      : [`${subject.kind === "trigger" ? subject.field : subject.kind}=${asked ?? "*"}`]),
    ...(minDurationMs === undefined ? [] : [`duration>=${minDurationMs}ms`]),
    ...(onlyIfChangedPaths === undefined ? [] : [`paths=${onlyIfChangedPaths.join(",")}`]),
  ];
  return parts.length === 0 ? "all" : parts.join(" ");
}
