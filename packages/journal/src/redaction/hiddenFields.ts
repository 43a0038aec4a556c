export type Naming = "secret" | "chosen" | "nothing";

/** Classifies a field by name and value; a field chosen in the settings is a secret whatever its value. */
export type Names = (key: string, value?: unknown) => Naming;

export type Field = readonly [string, unknown];

/** `{ "name": "API_KEY", "value": "…" }` */
const NAMING = /^(?:name|key|header)$/i;
const NAMED = /^value$/i;

/** Tells which of these fields hold a secret, by their own names or by a sibling that names them. */
export function hiddenFields(fields: readonly Field[], names: Names): (key: string, value: unknown) => boolean {
  const isNamed = fields.some(
    ([key, item]) => NAMING.test(key) && typeof item === "string" && names(item) !== "nothing",
  );
  return (key, value) => {
    if (value === null || value === undefined || value === "") return false;
    return names(key, value) !== "nothing" || (isNamed && NAMED.test(key) && typeof value !== "boolean");
  };
}
