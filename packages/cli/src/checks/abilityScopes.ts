import { EVENTS, type EventCatalog } from "@hookline/engine";
import { compileGlob, didYouMean, type HookDeclaration, KNOWN_TOOLS, type Problem } from "@hookline/engine/program";
import type { AbilityDeclaration } from "../declarations/abilities/abilityDeclaration.ts";

const catalog: EventCatalog = EVENTS;

/**
 * Globs of `ability_scope` that hit no ability and no tool. Only for hooks of a project that declares abilities: a hook of
 * the user may be meant for another project, and one without abilities beside it for those of the program that fires.
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
      const what = `The ability_scope "${glob}" hits no ability and no tool, so the hook does not run.${didYouMean(glob, names)}`;
      const next = "Correct it; `hookline list` shows the abilities and their operation keys.";
      return { severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next };
    });
}

/** Which tools a server offers is known only once it runs; they are called mcp_<server>_<tool>. */
function mayHitServerTool(glob: string): boolean {
  const [beginning = ""] = /^[\w.:-]*/.exec(glob) ?? [];
  return beginning.startsWith("mcp_") || (beginning !== glob && "mcp_".startsWith(beginning));
}
