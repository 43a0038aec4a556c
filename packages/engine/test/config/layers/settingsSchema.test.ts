import { expect, test } from "vitest";
import { z } from "zod";
import { settingsSchema, yamlHookSchema } from "../../../src/config/layers/settingsSchema.ts";
import { EVENTS } from "../../../src/events/catalog.ts";
import { commandHandler } from "../../../src/hooks/handlers/command.ts";

const names = Object.keys(EVENTS);
const settings = settingsSchema([commandHandler.kind], names);
const yamlHook = yamlHookSchema([commandHandler.kind], names);

test("settings that are read without a problem fit the schema, with other programs' keys", () => {
  const hook = { type: "command", name: "a", command: "./a.sh", timeout: "5s", onError: "block", env: { A: 1 } };
  const hooksConfig = { enabled: true, disabled: ["x"], maxParallel: 2, http: { allowHosts: ["x"] } };
  const value = { theme: "dark", hooks: { BeforeTool: [{ matcher: "x", hooks: [hook] }] }, hooksConfig };
  expect(settings.safeParse(value)).toEqual({ success: true, data: value });
});

test.each([
  { hooks: { BeforeTol: [] } },
  { hooks: { BeforeTool: [{ hooks: [{ type: "command" }] }] } },
  { hooks: { BeforeTool: [{ hooks: [{ type: "command", command: "x", onEror: "block" }] }] } },
  { hooksConfig: { maxParallel: 0 } },
])("%j does not fit", (value) => {
  expect(settings.safeParse(value).success).toBe(false);
});

test("a hook file fits its schema", () => {
  const value = {
    id: "a-b",
    event_type: "SessionStop",
    enabled: true,
    handler: { kind: "script", command: "x" },
    effects: ["y"],
  };
  expect(yamlHook.safeParse(value)).toEqual({ success: true, data: value });
  expect(yamlHook.safeParse({ ...value, id: "A" }).success).toBe(false);
});

test("both become JSON Schema in which every key is described", () => {
  for (const schema of [settings, yamlHook]) {
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
