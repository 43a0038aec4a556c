import type { AbilityDeclaration } from "../declarations/abilities/abilityDeclaration.ts";
import type { Caller } from "./caller.ts";
import type { Refusal } from "./outcome.ts";

/** An ability that names environments is not available in others, nor where nobody says which it is. */
export function elsewhere(
  { name, environments }: AbilityDeclaration,
  environment: string | undefined,
): Refusal | undefined {
  if (environments.length === 0 || (environment !== undefined && environments.includes(environment))) return undefined;
  const where =
    environment === undefined
      ? "and it is not said which one this is (--env, or HOOKLINE_ENV)"
      : `not in ${environment}`;
  const reason = `"${name}" runs in ${environments.join(", ")} only, ${where}.`;
  return { code: "ABILITY_UNAVAILABLE", reason, signals: [], hooks: [] };
}

interface Place {
  readonly environment: string | undefined;
  readonly caller: Caller;
}

/** A model works in the environment that its operator set, and names no other: neither in a call nor by a task made elsewhere. */
export function notItsEnvironment({ environment, caller }: Place, operators: string | undefined): Refusal | undefined {
  if (caller.source !== "ai_session" || operators === undefined || environment === operators) return undefined;
  const other = environment === undefined ? "without an environment" : `in ${environment}`;
  const reason = `This session is for ${operators}; a model cannot use abilities ${other}.`;
  return { code: "ABILITY_DENIED", reason, signals: [], hooks: [] };
}
