import {
  type DeclarationContext,
  type Declared,
  didYouMean,
  doubt,
  formatPlace,
  type OtherDeclaration,
  type Problem,
  type ProblemText,
} from "@hookline/engine/program";
import { programFault } from "../../errors.ts";
import type { AbilityDeclaration } from "./abilityDeclaration.ts";

type Abilities = Declared<AbilityDeclaration>;

/** Combines the abilities of all files: one per name, only those that the options allow. Reports unknown servers. */
export function combineAbilities(declared: readonly AbilityDeclaration[], context: DeclarationContext): Abilities {
  const distinct = oneAbilityPerName(declared);
  const allowed = disableForbidden(distinct.declared, context);
  const unserved = unknownServers(declared, context.others);
  return { declared: allowed.declared, problems: [...distinct.problems, ...unserved, ...allowed.problems] };
}

/** If two abilities share a name, the file that sorts first keeps it, whatever its state, so that the result is stable. */
function oneAbilityPerName(declared: readonly AbilityDeclaration[]): Abilities {
  const bearers = new Map<string, AbilityDeclaration>();
  return judgeEach(declared, (ability) =>
    ability.places.names.flatMap(({ name, place: where }) => {
      const bearer = bearers.get(name);
      if (bearer === undefined) bearers.set(name, ability);
      if (bearer === undefined || bearer === ability) return [];
      const what = `"${name}" is also a name of the ability at ${formatPlace(bearer.place)}, so this one is off.`;
      return [programFault({ code: "ABILITY_INVALID", where, what, next: "Give each its own id and operation keys." })];
    }),
  );
}

/** Reports abilities that call a tool of an undeclared server. */
function unknownServers(
  declared: readonly AbilityDeclaration[],
  others: readonly OtherDeclaration[],
): readonly Problem[] {
  const names = others.filter(({ kind }) => kind === "server").map(({ name }) => name);
  return declared.flatMap(({ tool, places: { target: where } }) => {
    if (tool === undefined || names.includes(tool.server)) return [];
    const what = `There is no MCP server "${tool.server}", so this ability will fail.${didYouMean(tool.server, names)}`;
    return [doubt({ where, what, next: 'Declare it in "mcpServers" of the settings, or correct its name.' })];
  });
}

/** Turns off an ability whose target is not allowed: unlike a hook, a failing ability guards nothing. */
function disableForbidden(abilities: readonly AbilityDeclaration[], { options, kinds }: DeclarationContext): Abilities {
  const http = kinds.find(({ type }) => type === "http");
  return judgeEach(abilities, (ability) => {
    const isCalled = ability.type === "http" && ability.off === undefined;
    const [finding] = isCalled ? (http?.unmet?.(ability, options) ?? []) : [];
    return finding ? [programFault({ code: "ABILITY_INVALID", where: ability.place, ...asInYaml(finding) })] : [];
  });
}

/** Converts a hook kind's finding, which uses the field names of settings files. */
function asInYaml({ what, next }: ProblemText): ProblemText {
  const spelt = (text: string) => text.replaceAll("passEnv", "pass_env");
  return { what: spelt(what), next: spelt(next) };
}

/** Turns an ability off at its first problem. */
function judgeEach(
  abilities: readonly AbilityDeclaration[],
  judge: (ability: AbilityDeclaration) => readonly Problem[],
): Abilities {
  const judged = abilities.map((ability) => ({ ability, problems: judge(ability) }));
  return {
    declared: judged.map(({ ability, problems: [problem] }) =>
      problem === undefined || ability.off ? ability : { ...ability, off: { kind: "broken", problem } },
    ),
    problems: judged.flatMap(({ problems }) => problems),
  };
}
