import { EVENTS, type EventCatalog } from "@hookline/engine";
import { compileGlob, didYouMean, type HookDeclaration, KNOWN_TOOLS, type Problem } from "@hookline/engine/program";
import type { AbilityDeclaration } from "../declarations/abilities/abilityDeclaration.ts";

const catalog: EventCatalog = EVENTS;

/**
 * Reports globs of `ability_scope` that match no ability and no tool. Only for hooks of a project that declares abilities: a user's
 * hook may be meant for another project, and without declared abilities the embedding program may have some.
 */
export function abilityScopes(hook: HookDeclaration, abilities: readonly AbilityDeclaration[]): readonly Problem[] {
  const { eventName, source, place: where, match } = hook;
  if (abilities.length === 0 || source !== "project" || catalog[eventName]?.subject?.kind !== "ability") return [];
  const names = [...abilities.flatMap(({ name, operationKeys }) => [name, ...operationKeys]), ...KNOWN_TOOLS.flat()];
  return (match.abilityScope ?? [])
    .filter((glob) => glob !== "*" && !mayHitServerTool(glob))
    .filter((glob) => {
      const isHit = compileGlob(glob);
      return !names.some((name) => isHit(name));
    })
    .map((glob): Problem => {
      const what = `The ability_scope "${glob}" matches no ability and no tool, so the hook does not run.${didYouMean(glob, names)}`;
      const next = "Correct it; `hookline list` shows the abilities and their operation keys.";
      return { severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next };
    });
}

/** The tools of a server are known only while it runs; their names are mcp_<server>_<tool>. */
function mayHitServerTool(glob: string): boolean {
  const [beginning = ""] = /^[\w.:-]*/.exec(glob) ?? [];
  return beginning.startsWith("mcp_") || (beginning !== glob && "mcp_".startsWith(beginning));
}
