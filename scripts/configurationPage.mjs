import { fillTables, prose } from "./markdown.mjs";
import { code, schemaOf, table, typeOf } from "./reference.mjs";

export const CONFIGURATION = "docs/reference/configuration.md";

/** The page of configuration, with tables made from the schemas. */
export function configurationPage(page, settings) {
  return fillTables(CONFIGURATION, page, tablesOf(settings));
}

function tablesOf({
  EVENTS,
  HANDLERS,
  HOOK_FIELDS,
  OPTION_SPECS,
  DEFAULT_OPTIONS,
  DECLARATION_KINDS,
  abilitySchema,
  settingsSchema,
  yamlHookSchema,
}) {
  const kinds = HANDLERS.map(({ kind }) => kind);
  const names = Object.keys(EVENTS);
  const file = schemaOf(settingsSchema(kinds, names, DECLARATION_KINDS), "input");
  const [definition] = Object.values(file.properties.hooks.properties).map(({ items }) => items);
  const hookFile = schemaOf(yamlHookSchema(kinds, names), "input");
  const ability = schemaOf(abilitySchema, "input");
  const infra = names.filter((name) => EVENTS[name].facing === "infra");
  const absent = {
    ...Object.fromEntries(Object.entries(HOOK_FIELDS).map(([key, field]) => [key, code(String(field.absent))])),
    blocking: `\`true\`; on ${infra.join(", ")} \`false\``,
  };
  const inFile = (schema, prefix) => fieldRows(schema, { prefix, absent }).map(withoutKinds);
  return {
    "settings file": table(HEAD, [
      ...inFile(only(file, ["hooks", "hooksConfig", "mcpServers"]), ""),
      ...inFile(file.properties.tools, "tools."),
    ]),
    definition: table(HEAD, inFile(definition, "")),
    "hook in settings": table(
      KINDS_HEAD,
      fieldRows(definition.properties.hooks.items, { absent, kindOf: ({ type }) => type }),
    ),
    options: table(
      ["key", "type", "default", "set by", "meaning"],
      optionRows(file.properties.hooksConfig, { OPTION_SPECS, DEFAULT_OPTIONS }),
    ),
    servers: table(KINDS_HEAD, fieldRows(file.properties.mcpServers.additionalProperties, { kindOf: serverKind })),
    "hook file": table(HEAD, [...inFile(hookFile, ""), ...inFile(hookFile.properties.match, "match.")]),
    handler: table(KINDS_HEAD, fieldRows(hookFile.properties.handler, { kindOf: ({ kind }) => kind })),
    "ability file": table(HEAD, inFile(ability, "")),
    implementation: table(KINDS_HEAD, fieldRows(ability.properties.implementation, { kindOf: ({ kind }) => kind })),
  };
}

const HEAD = ["key", "type", "default", "meaning"];
const KINDS_HEAD = ["key", "type", "default", "of", "meaning"];
const withoutKinds = ([key, type, otherwise, , meaning]) => [key, type, otherwise, meaning];

/** One row per key; where a value has several shapes, one row per key of any of them, with the shapes that have it. */
function fieldRows(schema, { prefix = "", absent = {}, kindOf } = {}) {
  const shapes = schema.anyOf ?? [schema];
  const keys = [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties)))];
  return keys.map((key) => {
    const having = shapes.filter(({ properties }) => key in properties);
    const { meaning, otherwise } = splitDefault(described(having, { key, kindOf }));
    const types = [...new Set(having.map(({ properties }) => typeName(properties[key])))];
    const isNeeded = having.every(({ required = [] }) => required.includes(key));
    const of = having.length === shapes.length ? ["all"] : having.map(({ properties }) => kindName(kindOf(properties)));
    return [
      code(prefix + key),
      code(types.join(" | ")),
      isNeeded ? "needed" : (absent[key] ?? otherwise ?? "none"),
      [...new Set(of)].join(", "),
      prose(meaning),
    ];
  });
}

/** What several shapes say of a key: once, if they agree. */
function described(shapes, { key, kindOf }) {
  const said = shapes.map(({ properties }) => properties[key].description);
  if (new Set(said).size === 1) return said[0];
  return shapes.map(({ properties }, index) => `${kindName(kindOf(properties))}: ${said[index]}`).join("; ");
}

const MOST_WORDS = 8;

/** What has keys of its own has a table of its own, and so have the events. */
function typeName(schema) {
  const { type, properties, anyOf = [], items } = schema;
  if (schema.enum?.length > MOST_WORDS) return type;
  if (Array.isArray(type)) return type.join(" | ");
  if (properties !== undefined || anyOf.some((shape) => shape.properties !== undefined)) return "object";
  if (items !== undefined && typeName(items) === "object") return "object[]";
  return typeOf(schema);
}

function optionRows({ properties }, { OPTION_SPECS, DEFAULT_OPTIONS }) {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const who = key in OPTION_SPECS ? "anyone" : "anyone, see [switches](#switches)";
    const setBy = OPTION_SPECS[key]?.guarded ? "user and system" : who;
    return leaves(key, schema).map(([name, field]) => {
      const { meaning, otherwise } = splitDefault(field.description.replace("; user and system files only", ""));
      const value = DEFAULT_OPTIONS[name.replace(/\.(.)/, (_, letter) => letter.toUpperCase())];
      const absent = value === undefined ? (otherwise ?? "none") : code(JSON.stringify(value));
      return [code(name), code(typeName(field)), absent, setBy, prose(meaning)];
    });
  });
}

/** The values other than objects, by their dotted keys. */
function leaves(name, schema) {
  const inner = Object.entries(schema.properties ?? {});
  return inner.length === 0 ? [[name, schema]] : inner.flatMap(([key, field]) => leaves(`${name}.${key}`, field));
}

/** A described default moves to a column of its own. */
function splitDefault(description) {
  const found = /(?:[;,] |^)default:? (.+?)(?=[.;](?: |$)|$)/.exec(description);
  if (found === null) return { meaning: description };
  const [said, otherwise] = found;
  return { meaning: description.replace(said, ""), otherwise: /\s/.test(otherwise) ? otherwise : code(otherwise) };
}

const kindName = ({ const: word, enum: words = [word] }) => words.join(" or ");
const serverKind = (properties) => ({ const: "command" in properties ? "a program" : "an address" });
const only = ({ properties, ...schema }, keys) => ({
  ...schema,
  properties: Object.fromEntries(keys.map((key) => [key, properties[key]])),
});
