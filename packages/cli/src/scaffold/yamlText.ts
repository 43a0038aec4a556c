import { visibleJsonLine } from "../terminal/visible.ts";
import { wrapped } from "../terminal/wrapped.ts";
import type { Schema } from "./shape.ts";

const WIDTH = 110;

/** One field of a YAML file. Without a value it only shows what could be written. */
export interface YamlField {
  readonly key: string;
  readonly value?: unknown;
  /** What could be written, where there is no value. */
  readonly example?: string;
  /** Instead of what the schema says about it. */
  readonly comment?: string;
  readonly fields?: readonly YamlField[];
}

/** Lines of YAML, every field below what the schema says about it. */
export function yamlLines(fields: readonly YamlField[], schema: Schema | undefined, indent = ""): string[] {
  return fields.flatMap((field) => {
    const own = propertyOf(schema, field.key);
    const said = field.comment ?? (typeof own === "object" ? own.description : undefined);
    const comments = said === undefined ? [] : wrapped(said, WIDTH - indent.length).map((line) => `${indent}# ${line}`);
    return [...comments, ...valueLines(field, own, indent)];
  });
}

/** A scalar or a list as it can stand in any YAML file: JSON, which YAML reads too; plain words need no quotes. */
export function yamlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlValue).join(", ")}]`;
  return typeof value === "string" && isPlain(value) ? value : visibleJsonLine(value);
}

function isPlain(text: string): boolean {
  if (/^\d+(ms|s|m)$/.test(text)) return true;
  return /^(\.\/)?[A-Za-z][\w./-]*( [\w./-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
}

function valueLines({ key, value, example, fields }: YamlField, schema: Schema | undefined, indent: string): string[] {
  if (fields) return [`${indent}${key}:`, ...yamlLines(fields, variantOf(schema, fields), `${indent}  `)];
  if (value === undefined) return [`${indent}# ${key}: ${example ?? "…"}`];
  return [`${indent}${key}: ${yamlValue(value)}`];
}

/** Of a choice of shapes the one that has this `kind`. */
function variantOf(schema: Schema | undefined, fields: readonly YamlField[]): Schema | undefined {
  const choices = typeof schema === "object" ? schema.anyOf : undefined;
  if (!choices) return schema;
  const kind = fields.find(({ key }) => key === "kind")?.value;
  return choices.find((choice) => {
    const own = propertyOf(choice, "kind");
    return typeof own === "object" && (own.const === kind || own.enum?.some((word) => word === kind));
  });
}

function propertyOf(schema: Schema | undefined, key: string): Schema | undefined {
  return typeof schema === "object" ? schema.properties?.[key] : undefined;
}
