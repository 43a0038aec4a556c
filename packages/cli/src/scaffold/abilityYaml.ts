import { abilitySchema } from "../declarations/abilities/abilityFields.ts";
import type { Implementation } from "./abilityRequest.ts";
import { schemaComment, type YamlField, yamlText } from "./yamlText.ts";

interface Declared {
  readonly id: string;
  readonly summary: string;
  readonly implementation: Implementation;
  /** The command of its program, if it has one. */
  readonly command: string;
}

/** The schema of ability files in this version, for editors. */
export function abilityFileSchema() {
  return abilitySchema.toJSONSchema({ io: "input" });
}

/** The declaration of an ability, with comments from the schema. */
export function abilityYaml({ id, summary, implementation, command }: Declared, schemaPath: string): string {
  const fields: readonly YamlField[] = [
    { key: "id", value: id },
    { key: "summary", value: summary },
    { key: "enabled", value: true },
    { key: "input", fields: implementation.kind === "script" ? EXAMPLE_INPUT : ANY_INPUT },
    { key: "operation_keys", example: "[db.write.user_row]" },
    { key: "environments", example: "[dev, staging]" },
    { key: "implementation", fields: implementationFields(implementation, command) },
    { key: "timeout", value: "5m" },
    { key: "writes", example: '["docs/**"]' },
  ];
  return yamlText([schemaComment(schemaPath)], fields, abilityFileSchema());
}

const EXAMPLE_INPUT: readonly YamlField[] = [
  { key: "type", value: "object" },
  {
    key: "properties",
    fields: [
      {
        key: "name",
        fields: [
          { key: "type", value: "string" },
          { key: "description", value: "an example; replace it with your own fields" },
        ],
      },
    ],
  },
  { key: "required", value: ["name"] },
  { key: "additionalProperties", value: false },
];

const ANY_INPUT: readonly YamlField[] = [
  { key: "type", value: "object" },
  { key: "properties", example: "{ name: { type: string } }" },
];

function implementationFields(implementation: Implementation, command: string): readonly YamlField[] {
  const { kind } = implementation;
  const passEnv: YamlField = { key: "pass_env", example: "[DEPLOY_TOKEN]" };
  switch (kind) {
    case "script":
      return [
        { key: "kind", value: kind },
        { key: "command", value: command },
        { key: "env", example: "{ LEVEL: strict }" },
        passEnv,
      ];
    case "http":
      return [
        { key: "kind", value: kind },
        { key: "url", value: implementation.url },
        { key: "method", value: "POST" },
        { key: "headers", example: `{ Authorization: "Bearer \${DEPLOY_TOKEN}" }` },
        passEnv,
      ];
    case "mcp":
      return [
        { key: "kind", value: kind },
        { key: "server", value: implementation.server },
        { key: "tool", value: implementation.tool },
      ];
  }
}
