import { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** True for an input that certainly satisfies the schema and needs no default; false leaves the decision to the schema. */
export type QuickCheck = (input: Fields) => boolean;

/**
 * Validation is the largest part of the cost of an in-process hook, and of a long history; nearly every input is valid.
 * This check never accepts what the schema would reject; it leaves anything it does not know to the schema.
 */
export function quickCheck(schema: z.ZodObject): QuickCheck {
  return fieldsCheck(schema) ?? (() => false);
}

function fieldsCheck(schema: z.ZodObject): QuickCheck | undefined {
  const checks: { readonly key: string; readonly check: Check }[] = [];
  for (const [key, field] of Object.entries(schema.shape)) {
    const check = fieldCheck(field);
    if (check === undefined) return undefined;
    checks.push({ key, check });
  }
  return (input) => {
    for (const { key, check } of checks) if (!check(input[key])) return false;
    return true;
  };
}

function fieldCheck(field: unknown): Check | undefined {
  if (field instanceof z.ZodOptional) return orAbsent(fieldCheck(field.unwrap()));
  // The schema fills in defaults; a given value is checked like any other.
  if (field instanceof z.ZodDefault) return fieldCheck(field.unwrap());
  if (field instanceof z.ZodObject) return objectCheck(field);
  if (field instanceof z.ZodUnion) return unionCheck(field.options);
  if (field instanceof z.ZodEnum) return oneOf(field.options);
  if (field instanceof z.ZodLiteral) return oneOf([...field.values]);
  if (field instanceof z.ZodString) return stringCheck(field);
  if (field instanceof z.ZodUnknown) return (value) => value !== undefined;
  if (field instanceof z.ZodType && field.def.checks?.length) return undefined;
  if (field instanceof z.ZodNumber) return (value) => Number.isFinite(value);
  if (field instanceof z.ZodBoolean) return (value) => typeof value === "boolean";
  if (field instanceof z.ZodArray) return arrayCheck(fieldCheck(field.element));
  return undefined;
}

/** "Not empty" is the only rule it knows. */
function stringCheck(field: z.ZodString): Check | undefined {
  if (field.format !== null || field.maxLength !== null || (field.minLength ?? 0) > 1) return undefined;
  return field.minLength === 1
    ? (value) => typeof value === "string" && value !== ""
    : (value) => typeof value === "string";
}

/** Handles objects that keep unknown keys; objects that strip them are left to the schema. */
function objectCheck(field: z.ZodObject): Check | undefined {
  if (!(field.def.catchall instanceof z.ZodUnknown)) return undefined;
  const accepts = fieldsCheck(field);
  return accepts && ((value) => isPlainObject(value) && accepts(value));
}

function arrayCheck(check: Check | undefined): Check | undefined {
  return check && ((value) => Array.isArray(value) && value.every(check));
}

function unionCheck(options: readonly unknown[]): Check | undefined {
  const checks = options.map(fieldCheck).filter((check) => check !== undefined);
  return checks.length === options.length ? (value) => checks.some((check) => check(value)) : undefined;
}

function oneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

function orAbsent(check: Check | undefined): Check {
  return (value) => value === undefined || (check?.(value) ?? false);
}

function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
