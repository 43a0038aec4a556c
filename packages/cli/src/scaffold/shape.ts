import type { z } from "zod";

export type Schema = z.core.JSONSchema._JSONSchema;

/** Renders a JSON Schema like a TypeScript type: `{ file_path: string, limit?: number }`. */
export function shapeOf(schema: Schema): string {
  if (typeof schema === "boolean") return "anything";
  const { enum: words, const: word, anyOf, oneOf, allOf, type, items } = schema;
  if (words) return words.map((one) => JSON.stringify(one)).join(" | ");
  if (word !== undefined) return JSON.stringify(word);
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices) return [...new Set(choices.map(shapeOf))].join(" | ");
  if (type === "array") return listOf(items === undefined || Array.isArray(items) ? "anything" : shapeOf(items));
  if (type === "object") return objectShape(schema);
  return typeof type === "string" ? type : "anything";
}

function listOf(item: string): string {
  return /[ |]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function objectShape({ properties = {}, required = [] }: Exclude<Schema, boolean>): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${shapeOf(field)}`,
  );
  return fields.length === 0 ? "object" : `{ ${fields.join(", ")} }`;
}
