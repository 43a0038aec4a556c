export type Naming = "secret" | "chosen" | "nothing";

/** What a field of this name and value holds; what the settings chose is a secret whatever it looks like. */
export type Names = (key: string, value?: unknown) => Naming;

export type Field = readonly [string, unknown];

/** `{ "name": "API_KEY", "value": "…" }` */
const NAMING = /^(?:name|key|header)$/i;
const NAMED = /^value$/i;

/** Tells which of these fields hold a secret, by their own names or by what another of them says. */
export function hiddenFields(fields: readonly Field[], names: Names): (key: string, value: unknown) => boolean {
  const isNamed = fields.some(
    ([key, item]) => NAMING.test(key) && typeof item === "string" && names(item) !== "nothing",
  );
  return (key, value) => {
    if (value === null || value === undefined || value === "") return false;
    return names(key, value) !== "nothing" || (isNamed && NAMED.test(key) && typeof value !== "boolean");
  };
}
