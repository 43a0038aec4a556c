import type { AbilityDeclaration } from "@hookline/engine";
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
