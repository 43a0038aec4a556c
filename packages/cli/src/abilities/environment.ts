import type { AbilityDeclaration } from "../declarations/abilities/abilityDeclaration.ts";
import type { Caller } from "./caller.ts";
import type { Refusal } from "./outcome.ts";

/** Refuses an ability outside the environments that it names, or if the current environment is unknown. */
export function elsewhere(
  { name, environments }: AbilityDeclaration,
  environment: string | undefined,
): Refusal | undefined {
  if (environments.length === 0 || (environment !== undefined && environments.includes(environment))) return undefined;
  const where =
    environment === undefined
      ? "and the current environment is not set (--env or HOOKLINE_ENV)"
      : `not in ${environment}`;
  const reason = `"${name}" runs in ${environments.join(", ")} only, ${where}.`;
  return { code: "ABILITY_UNAVAILABLE", reason, signals: [], hooks: [] };
}

interface Place {
  readonly environment: string | undefined;
  readonly caller: Caller;
}

/** Keeps a model in its operator's environment: neither a call nor a task from elsewhere may use another one. */
export function notItsEnvironment({ environment, caller }: Place, operators: string | undefined): Refusal | undefined {
  if (caller.source !== "ai_session" || operators === undefined || environment === operators) return undefined;
  const other = environment === undefined ? "without an environment" : `in ${environment}`;
  const reason = `This session is for ${operators}; a model cannot use abilities ${other}.`;
  return { code: "ABILITY_DENIED", reason, signals: [], hooks: [] };
}
