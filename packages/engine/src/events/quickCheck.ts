import { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;

/** Says yes to an input that certainly satisfies the schema and needs no default; no leaves it to the schema. */
export type QuickCheck = (input: Fields) => boolean;

/**
 * Validation is the largest single part of what an in-process hook costs, and nearly every input is right. This looks at
 * the simple fields of a schema and never says yes where the schema would not; everything else is the schema's business.
 */
export function quickCheck(schema: z.ZodObject): QuickCheck {
  const checks: [string, (value: unknown) => boolean][] = [];
  for (const [key, field] of Object.entries(schema.shape)) {
    const check = fieldCheck(field);
    if (check === undefined) return () => false;
    checks.push([key, check]);
  }
  return (input) => {
    for (const [key, check] of checks) if (!check(input[key])) return false;
    return true;
  };
}

function fieldCheck(field: unknown): ((value: unknown) => boolean) | undefined {
  if (field instanceof z.ZodOptional) return (value) => value === undefined;
  // A default is the schema's to fill in; a value that is there is checked like any other.
  if (field instanceof z.ZodDefault) return fieldCheck(field.unwrap());
  if (field instanceof z.ZodString)
    return isPlainString(field) ? (value) => typeof value === "string" && value !== "" : undefined;
  if (field instanceof z.ZodObject) return Object.keys(field.shape).length === 0 ? isPlainObject : undefined;
  return undefined;
}

/** No rule but "not empty", which the check asks in any case. */
function isPlainString(field: z.ZodString): boolean {
  return field.format === null && field.maxLength === null && (field.minLength ?? 0) <= 1;
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
