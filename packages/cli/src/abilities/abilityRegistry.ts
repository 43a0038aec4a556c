import { HooklineError } from "@hookline/engine";
import { didYouMean, formatPlace, mcpToolName } from "@hookline/engine/program";
import type { AbilityDeclaration } from "../declarations/abilities/abilityDeclaration.ts";
import { ProgramError } from "../errors.ts";
import type { AbilityRef } from "./store/task.ts";

/** An ability, and the name that the caller used. */
export interface FoundAbility {
  readonly ability: AbilityDeclaration;
  readonly ref: AbilityRef;
}

/** The abilities of a project, by id and by operation key. */
export class AbilityRegistry {
  readonly abilities: readonly AbilityDeclaration[];
  readonly #declared: readonly AbilityDeclaration[];

  /** `abilities` may run; for other declared ones the registry can say why they may not. */
  constructor(abilities: readonly AbilityDeclaration[], declared: readonly AbilityDeclaration[] = abilities) {
    this.abilities = abilities;
    this.#declared = declared;
  }

  /** Throws ABILITY_UNKNOWN, or the reason why the ability cannot run. */
  find(name: string): FoundAbility {
    const found = findIn(this.abilities, name);
    if (found) return found;
    const off = findIn(this.#declared, name)?.ability;
    if (off) throw notUsable(off);
    const hint = didYouMean(
      name,
      this.abilities.flatMap((ability) => [ability.name, ...ability.operationKeys]),
    );
    throw new ProgramError({ code: "ABILITY_UNKNOWN", what: `There is no ability "${name}".${hint}` });
  }
}

/** The names that `ability_scope` can match, the id first. An ability that calls a server's tool also has that tool's name. */
export function namesOfAbility({
  name,
  operationKeys,
  type,
  target,
}: AbilityDeclaration): readonly [string, ...string[]] {
  const { server, tool } = target?.fields ?? {};
  const ownTool = type === "mcp" ? [mcpToolName(String(server), String(tool))] : [];
  return [name, ...operationKeys, ...ownTool];
}

function findIn(abilities: readonly AbilityDeclaration[], name: string): FoundAbility | undefined {
  const byId = abilities.find((ability) => ability.name === name);
  if (byId) return { ability: byId, ref: { kind: "ability_id", value: name } };
  const byKey = abilities.find(({ operationKeys }) => operationKeys.includes(name));
  return byKey && { ability: byKey, ref: { kind: "operation_key", value: name } };
}

function notUsable({ name, place, off }: AbilityDeclaration): HooklineError {
  const facts = { where: place, what: `The ability "${name}" cannot run: ${whyOff(off)}` };
  if (off?.kind === "untrusted") return new HooklineError({ code: "TRUST_REQUIRED", ...facts });
  if (off?.kind === "switch") {
    const next = `Switch it on at ${formatPlace(off.by)}.`;
    return new ProgramError({ code: "ABILITY_UNKNOWN", ...facts, next });
  }
  return new ProgramError({ code: "ABILITY_INVALID", ...facts });
}

function whyOff(off: AbilityDeclaration["off"]): string {
  if (off === undefined) return "it is not admitted.";
  return off.kind === "broken" ? off.problem.what : `${off.what}.`;
}
