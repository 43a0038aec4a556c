import type { AbilityUse } from "./abilityEvents.ts";

/** The environment of an ability's program. The session id attributes nested ability calls to the same session. */
export function programVariables(
  { ability, taskKey, environment, caller }: AbilityUse,
  projectRoot: string,
): Record<string, string> {
  return {
    HOOKLINE_PROJECT_DIR: projectRoot,
    HOOKLINE_ABILITY_ID: ability.name,
    HOOKLINE_TASK_KEY: taskKey ?? "",
    ...(environment === undefined ? {} : { HOOKLINE_ENV: environment }),
    ...(caller.session_id === undefined ? {} : { HOOKLINE_SESSION_ID: caller.session_id }),
  };
}
