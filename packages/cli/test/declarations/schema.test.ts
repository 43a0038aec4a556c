import { EVENTS } from "@hookline/engine";
import { HANDLERS, settingsSchema } from "@hookline/engine/program";
import { expect, test } from "vitest";
import { z } from "zod";
import { abilitySchema } from "../../src/declarations/abilities/abilityFields.ts";
import { DECLARATION_KINDS } from "../../src/declarations/index.ts";

test("an ability file fits its schema, and one that names another kind's fields does not", () => {
  const value = {
    id: "a-b",
    summary: "does it",
    input: { type: "object", properties: { path: { type: "string" } } },
    operation_keys: ["db.write.user_row"],
    implementation: { kind: "http", url: "https://x.example/run", method: "PUT", pass_env: ["TOKEN"] },
    writes: ["docs/**"],
  };
  expect(abilitySchema.safeParse(value)).toEqual({ success: true, data: value });
  const mixed = { kind: "mcp", server: "kit", tool: "run", url: "https://x.example" };
  expect(abilitySchema.safeParse({ ...value, implementation: mixed }).success).toBe(false);
});

test("the schemas of other kinds than hooks describe every key", () => {
  const kinds = HANDLERS.map(({ kind }) => kind);
  const settings = settingsSchema(kinds, Object.keys(EVENTS), DECLARATION_KINDS);
  expect(Object.keys(settings.shape)).toContain("mcpServers");
  for (const schema of [settings, abilitySchema]) {
    expect(undescribed(z.toJSONSchema(schema, { io: "input" }))).toEqual([]);
  }
});

/** Paths of properties that have no description. */
function undescribed(node: unknown, path = ""): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const here = `${path}/${key}`;
    const isProperty = path.endsWith("/properties");
    const missing =
      isProperty && !(typeof value === "object" && value !== null && "description" in value) ? [here] : [];
    return [...missing, ...undescribed(value, here)];
  });
}
