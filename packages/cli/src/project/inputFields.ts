import type { EventSpec } from "@hookline/engine";

export interface InputField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

type Schema = ReturnType<EventSpec["input"]["toJSONSchema"]>;

/** The JSON Schema of an event's input. Omits defaults, because some are generated at each call. */
export function inputSchema({ input }: Pick<EventSpec, "input">): Schema {
  return input.toJSONSchema({
    io: "input",
    override: ({ jsonSchema }) => {
      delete jsonSchema.default;
    },
  });
}

export function inputFields(spec: Pick<EventSpec, "input">): InputField[] {
  const { properties = {}, required = [] } = inputSchema(spec);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    required: required.includes(name),
    description: typeof schema === "object" ? (schema.description ?? "") : "",
  }));
}

type Part = NonNullable<Schema["properties"]>[string];

function typeOf(schema: Part): string {
  if (typeof schema === "boolean") return "anything";
  if (schema.enum) return schema.enum.map(String).join(" | ");
  const { items, type } = schema;
  if (type === "array" && typeof items === "object" && !Array.isArray(items)) return `${typeOf(items)}[]`;
  if (type === "object" && Object.keys(schema.properties ?? {}).length > 0)
    return `{ ${Object.keys(schema.properties ?? {}).join(", ")} }`;
  return typeof type === "string" ? type : "anything";
}
