import { scrubEnvironment } from "@hookline/engine/process";
import type { HookDeclaration, LoadedSettings } from "@hookline/engine/program";

/** Names of credentials in this environment that a hook does not receive. Only process hooks have an environment. */
export function withheldVariables(
  { target, passEnv }: HookDeclaration,
  { options }: LoadedSettings,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (target?.fields.command === undefined) return [];
  return scrubEnvironment(env, [...options.passEnv, ...passEnv]).withheld;
}
