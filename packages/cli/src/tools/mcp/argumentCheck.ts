import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType, JsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import type { ToolArguments } from "../tool.ts";

/** What is wrong with the arguments of a call, in words; undefined if nothing is. The schema is read at the first call. */
export function argumentCheck(schema: object): (input: ToolArguments) => string | undefined {
  let validate: JsonSchemaValidator<unknown> | undefined;
  return (input) => {
    validate ??= validatorOf(schema);
    const { valid, errorMessage } = validate(input);
    return valid ? undefined : errorMessage.replaceAll(/\bdata(\/|(?= ))/g, "").trim();
  };
}

/**
 * The schemas of servers are other people's text: their regular expressions could keep this program busy for ever, and are
 * left to the server. A schema that cannot be read checks nothing; the server says itself what is wrong.
 */
function validatorOf(schema: object): JsonSchemaValidator<unknown> {
  try {
    const harmless: JsonSchemaType = JSON.parse(JSON.stringify(withoutPatterns(schema)));
    return new AjvJsonSchemaValidator().getValidator(harmless);
  } catch {
    return new AjvJsonSchemaValidator().getValidator({});
  }
}

/** Their values hold schemas by name; whatever the name is, it is no keyword. */
const NAMED_SCHEMAS = ["properties", "$defs", "definitions", "dependentSchemas"];
/** Their values are no schemas. */
const LITERALS = ["const", "enum", "default", "examples", "required"];
/** What they allow depends on the expressions that are left out. */
const ABOUT_THE_REST = ["additionalProperties", "unevaluatedProperties"];

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const dropped = "patternProperties" in schema ? ["patternProperties", ...ABOUT_THE_REST] : [];
  const entries = Object.entries(schema)
    .filter(([key, value]) => !dropped.includes(key) && !(key === "pattern" && typeof value === "string"))
    .map(([key, value]): [string, unknown] => {
      if (LITERALS.includes(key)) return [key, value];
      if (!NAMED_SCHEMAS.includes(key) || !isObject(value)) return [key, withoutPatterns(value)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutPatterns(one)]))];
    });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
