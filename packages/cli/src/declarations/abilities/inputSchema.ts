import {
  doubt,
  type Entry,
  entryNamed,
  invalid,
  type Located,
  nearest,
  plain,
  quoted,
  type Report,
  shown,
} from "@hookline/engine/program";

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Describes the required value of a keyword; undefined if the value is valid. */
type Rule = (value: unknown) => string | undefined;

const must =
  (holds: (value: unknown) => boolean, what: string): Rule =>
  (value) =>
    holds(value) ? undefined : what;
const isText = (value: unknown): value is string => typeof value === "string";
const text = must(isText, "a text");
const flag = must((value) => typeof value === "boolean", "true or false");
const number = must((value) => Number.isFinite(value), "a number");
const count = must((value) => Number.isInteger(value) && Number(value) >= 0, "a whole number, 0 or more");
const list = must((value) => Array.isArray(value) && value.length > 0, "a list of values");
const anything: Rule = () => undefined;
const mapping = must(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "a mapping of schemas",
);
const schemas = must((value) => Array.isArray(value) && value.length > 0, "a list of schemas");

const RULES: Readonly<Record<string, Rule>> = {
  type: must(
    (value) => {
      const types: unknown[] = Array.isArray(value) ? value : [value];
      return types.length > 0 && types.every((type) => isText(type) && TYPES.includes(type));
    },
    `one of ${TYPES.join(", ")}`,
  ),
  required: must((value) => Array.isArray(value) && value.every(isText), "a list of names"),
  enum: list,
  pattern: must((value) => isText(value) && isPattern(value), "a regular expression"),
  $ref: must((value) => isText(value) && value.startsWith("#"), 'a place in this schema, like "#/$defs/name"'),
  multipleOf: must((value) => Number.isFinite(value) && Number(value) > 0, "a number above 0"),
  uniqueItems: flag,
  ...same(number, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
  ...same(count, "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
  ...same(count, "minContains", "maxContains"),
  ...same(text, "title", "description", "format", "$id", "$schema", "$comment", "$anchor"),
  ...same(anything, "const", "default", "examples", "deprecated", "readOnly", "writeOnly", "dependentRequired"),
  ...same(anything, "dependencies", "contentEncoding", "contentMediaType", "contentSchema"),
  ...same(mapping, "properties", "patternProperties", "$defs", "definitions", "dependentSchemas"),
  ...same(schemas, "allOf", "anyOf", "oneOf", "prefixItems"),
  ...same(anything, "items", "additionalProperties", "additionalItems", "not", "contains", "propertyNames"),
  ...same(anything, "if", "then", "else", "unevaluatedItems", "unevaluatedProperties"),
};

/** Keywords whose value is a schema, a mapping of schemas, or a list of schemas. */
const ONE = /^(items|additionalProperties|additionalItems|not|contains|propertyNames|if|then|else|unevaluated.*)$/;
const NAMED = /^(properties|patternProperties|\$defs|definitions|dependentSchemas)$/;
const SEVERAL = /^(allOf|anyOf|oneOf|prefixItems|items)$/;

/** Reads the JSON Schema of an object. Checks its form only; a run of the ability compiles it. */
export function readInput(entry: Entry | undefined, report: Report): Readonly<Record<string, unknown>> | undefined {
  if (entry === undefined) return undefined;
  const { value, keyPlace } = entry;
  if (value.kind !== "map") {
    report(invalid(value.place, `"input" is a JSON Schema, not ${shown(value)}.`, 'Write "type: object" below it.'));
    return undefined;
  }
  const type = entryNamed(value, "type");
  if (type === undefined || plain(type.value) !== "object") {
    const what = type ? `An input is an object, not ${shown(type.value)}.` : '"input" does not say its type.';
    report(invalid(type?.value.place ?? keyPlace, what, 'Write "type: object".'));
  }
  checkSchema(value, report);
  return Object.fromEntries(value.entries.map((keyword) => [keyword.key, plain(keyword.value)]));
}

function checkSchema(node: Located, report: Report): void {
  if (node.kind === "scalar" && typeof node.value === "boolean") return;
  if (node.kind !== "map") {
    report(invalid(node.place, `A schema is a mapping, not ${shown(node)}.`, 'Write "type: …" below the name.'));
    return;
  }
  for (const entry of node.entries) checkKeyword(entry, report);
}

function checkKeyword({ key, keyPlace, value }: Entry, report: Report): void {
  const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined;
  if (!rule) {
    const guess = nearest(key, Object.keys(RULES));
    const what = `${quoted(key)} is not a keyword of JSON Schema and has no effect.`;
    if (guess) report(doubt({ where: keyPlace, what: `${what} Did you mean "${guess}"?`, next: `Write "${guess}".` }));
    return;
  }
  const wanted = rule(plain(value));
  if (wanted !== undefined) {
    report(invalid(value.place, `"${key}" cannot be ${shown(value)}.`, `Write ${wanted}.`));
    return;
  }
  if (value.kind === "list" && SEVERAL.test(key)) for (const item of value.items) checkSchema(item, report);
  else if (ONE.test(key)) checkSchema(value, report);
  else if (value.kind === "map" && NAMED.test(key)) for (const one of value.entries) checkSchema(one.value, report);
}

function same(rule: Rule, ...keywords: readonly string[]): Record<string, Rule> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, rule]));
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
