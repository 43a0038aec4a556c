import { formatPlace } from "../errors.ts";
import type { AbilityDeclaration } from "./abilityDeclaration.ts";
import type { DeclaredAbility } from "./declareAbility.ts";
import type { EngineOptions, Finding, KindSpec, Problem } from "./hookDeclaration.ts";
import { didYouMean } from "./nearest.ts";
import { doubt, fault } from "./problem.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";

interface Abilities {
  readonly abilities: readonly AbilityDeclaration[];
  readonly problems: readonly Problem[];
}

/** A name that is borne twice stays with the file that sorts first, whatever its state: nothing else is the same tomorrow. */
export function oneAbilityPerName(declared: readonly DeclaredAbility[]): Abilities {
  const bearers = new Map<string, AbilityDeclaration>();
  const judged = declared.map(({ ability, names }) => {
    const problems = names.flatMap(({ name, place: where }) => {
      const bearer = bearers.get(name);
      if (bearer === undefined) bearers.set(name, ability);
      if (bearer === undefined || bearer === ability) return [];
      const what = `"${name}" is also borne by the ability at ${formatPlace(bearer.place)}, so this one is off.`;
      return [fault({ code: "ABILITY_INVALID", where, what, next: "Give each its own id and operation keys." })];
    });
    return { ability: brokenBy(problems[0], ability), problems };
  });
  return collected(judged);
}

/** Abilities that call a tool of a server which nobody declares. */
export function unknownServers(
  declared: readonly DeclaredAbility[],
  servers: readonly ServerDeclaration[],
): readonly Problem[] {
  const names = servers.map(({ name }) => name);
  return declared.flatMap(({ ability: { type, target }, targetPlace: where }) => {
    const server = type === "mcp" ? target?.fields.server : undefined;
    if (typeof server !== "string" || names.includes(server)) return [];
    const what = `There is no MCP server "${server}", so this ability will fail.${didYouMean(server, names)}`;
    return [doubt({ where, what, next: 'Declare it in "mcpServers" of the settings, or correct its name.' })];
  });
}

/** An ability that may not do what it is there for stays off: unlike a hook, it guards nothing by failing. */
export function abilitiesAllowed(
  abilities: readonly AbilityDeclaration[],
  options: EngineOptions,
  kinds: readonly KindSpec[],
): Abilities {
  const http = kinds.find(({ type }) => type === "http");
  const judged = abilities.map((ability) => {
    const isCalled = ability.type === "http" && ability.off === undefined;
    const [finding] = isCalled ? (http?.unmet?.(ability, options) ?? []) : [];
    const problems = finding ? [fault({ code: "ABILITY_INVALID", where: ability.place, ...asInYaml(finding) })] : [];
    return { ability: brokenBy(problems[0], ability), problems };
  });
  return collected(judged);
}

/** The kinds of hooks name their fields as settings files do. */
function asInYaml({ what, next }: Finding): Finding {
  const spelt = (text: string) => text.replaceAll("passEnv", "pass_env");
  return { what: spelt(what), next: spelt(next) };
}

function brokenBy(problem: Problem | undefined, ability: AbilityDeclaration): AbilityDeclaration {
  return problem === undefined || ability.off ? ability : { ...ability, off: { kind: "broken", problem } };
}

function collected(judged: readonly { ability: AbilityDeclaration; problems: readonly Problem[] }[]): Abilities {
  return { abilities: judged.map(({ ability }) => ability), problems: judged.flatMap(({ problems }) => problems) };
}
