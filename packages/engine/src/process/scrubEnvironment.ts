import { isCredentialName } from "./credentialNames.ts";

/** The parent's environment without variables that look like credentials, except the names in `allowed`. */
export function scrubEnvironment(
  parent: NodeJS.ProcessEnv,
  allowed: readonly string[],
): { env: Record<string, string>; withheld: string[] } {
  const env: Record<string, string> = {};
  const withheld: string[] = [];
  for (const name of Object.keys(parent)) {
    const value = parent[name];
    if (value === undefined) continue;
    if (isCredentialName(name) && !allowed.includes(name)) withheld.push(name);
    else env[name] = value;
  }
  return { env, withheld: withheld.sort() };
}
