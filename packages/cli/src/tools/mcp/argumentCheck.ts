import { isFields } from "@hookline/engine/program";
import { withinTime } from "../../terminal/withinTime.ts";
import { type SchemaCheck, schemaCheck } from "../schemaCheck.ts";
import type { ToolArguments } from "../tool.ts";
import { expandedSize } from "./schemaSize.ts";

/** Limit for the size of a schema times the length of the arguments: a fraction of a second. */
const MOST_STEPS = 20_000_000;

const CHECK_MS = 1_000;

interface Check {
  readonly size: number;
  readonly faultIn: SchemaCheck;
}

/** Returns a check that describes what is wrong with the arguments of a call, or undefined. Compiles the schema at the first call. */
export function argumentCheck(schema: object): (input: ToolArguments) => string | undefined {
  let check: Check | undefined;
  return (input) => {
    check ??= checkOf(schema);
    if (check.size * JSON.stringify(input).length > MOST_STEPS) return undefined;
    return checked(check, input)
      ?.replaceAll(/\bdata(\/|(?= ))/g, "")
      .trim();
  };
}

/** Leaves a check that is impossible or too slow to the server. */
function checked({ faultIn }: Check, input: ToolArguments): string | undefined {
  try {
    return withinTime(CHECK_MS, () => faultIn(input));
  } catch {
    return undefined;
  }
}

/**
 * Schemas of servers are untrusted and could keep this program busy for ever: with regular expressions, which are left to the
 * server, or with references that double at every step. For a schema that is invalid or too costly the check accepts everything;
 * the server then reports errors itself.
 */
function checkOf(schema: object): Check {
  try {
    const harmless: object = JSON.parse(JSON.stringify(withoutPatterns(schema)));
    const size = expandedSize(harmless);
    if (size <= MOST_STEPS) return { size, faultIn: schemaCheck(harmless) };
  } catch {
    // The schema is invalid.
  }
  return { size: 0, faultIn: () => undefined };
}

/** Keywords whose values map names to schemas; those names are not keywords. */
const NAMED_SCHEMAS = ["properties", "$defs", "definitions", "dependentSchemas"];
/** Keywords whose values are not schemas. */
const LITERALS = ["const", "enum", "default", "examples", "required"];
/** Keywords whose meaning depends on the expressions that are left out. */
const ABOUT_THE_REST = ["additionalProperties", "unevaluatedProperties"];

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isFields(schema)) return schema;
  const dropped = "patternProperties" in schema ? ["patternProperties", ...ABOUT_THE_REST] : [];
  const entries = Object.entries(schema)
    .filter(([key, value]) => !dropped.includes(key) && !(key === "pattern" && typeof value === "string"))
    .map(([key, value]): [string, unknown] => {
      if (LITERALS.includes(key)) return [key, value];
      if (!NAMED_SCHEMAS.includes(key) || !isFields(value)) return [key, withoutPatterns(value)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutPatterns(one)]))];
    });
  return Object.fromEntries(entries);
}
