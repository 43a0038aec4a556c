export function liveSecrets(_env: Readonly<Record<string, string | undefined>>): readonly string[] { return []; }
