import type { Schema } from "@google/genai";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The SDK's schemas are JSON Schema with upper-case types, numbers as strings and some different names. */
export function toJsonSchema(schema: Schema): JsonSchema {
  const { type, nullable, properties, items, anyOf, enum: values, ...rest } = schema;
  const { example: _example, propertyOrdering: _ordering, ...plain } = rest;
  return {
    ...Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, COUNTS.has(key) ? Number(value) : value])),
    ...(type && type !== "TYPE_UNSPECIFIED" && { type: nullable ? [type.toLowerCase(), "null"] : type.toLowerCase() }),
    ...(values && { enum: nullable ? [...values, null] : values }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, toJsonSchema(value)])),
    }),
    ...(items && { items: toJsonSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(toJsonSchema) }),
  };
}

const COUNTS = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);
