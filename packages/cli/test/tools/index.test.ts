import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { KNOWN_TOOLS } from "@hookline/engine/program";
import { expect, test } from "vitest";
import { z } from "zod";
import { BUILT_IN_TOOLS, TOOL_NAMES } from "../../src/tools/index.ts";
import type { Tool } from "../../src/tools/tool.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

interface Generator {
  readonly TOOLS_PAGE: string;
  readonly toolsPage: (page: string, from: object) => string;
}

/** What the schema of a tool says of its arguments, as far as the page repeats it. */
const parameters = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), z.object({ description: z.string() })),
  required: z.array(z.string()).default([]),
});

function argumentsOf(schema: unknown): string[] {
  const { properties, required } = parameters.parse(schema);
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
}

test("the tools that the engine knows are built in under the names that matchers know them by", () => {
  const known = KNOWN_TOOLS.map(([name]) => name);
  const names = BUILT_IN_TOOLS.map(({ name }) => name);
  expect(names.filter((name) => known.includes(name))).toEqual(known);
  expect(TOOL_NAMES).toEqual(expect.arrayContaining([...names, ...KNOWN_TOOLS.flat()]));
});

test("the engine knows every tool that takes a path or edits files: links must not bypass a guard of it", () => {
  const known = KNOWN_TOOLS.map(([name]) => name);
  const takesPath = (tool: Tool) => argumentsOf(tool.parameters).some((name) => /(^|_)(path|dir|file)/.test(name));
  const withFiles = BUILT_IN_TOOLS.filter((tool) => tool.kind === "edit" || takesPath(tool)).map(({ name }) => name);
  expect(withFiles.length).toBeGreaterThan(0);
  expect(withFiles.filter((name) => !known.includes(name))).toEqual([]);
});

test("the table of tools is what their definitions say; else run `npm run docs`", async () => {
  const { TOOLS_PAGE, toolsPage }: Generator = await import(`${ROOT}scripts/toolsPage.mjs`);
  const page = readFileSync(ROOT + TOOLS_PAGE, "utf8");
  expect(toolsPage(page, { BUILT_IN_TOOLS, KNOWN_TOOLS })).toBe(page);
});

test("the table of tools has a row for each, with every name and argument", () => {
  const [, section = ""] = /^## Tools$(.*?)^##/ms.exec(readFileSync(`${ROOT}docs/agent-setup.md`, "utf8")) ?? [];
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const documented = rows.map((row) => {
    const [name, aliases, args, kind] = row.split("|").slice(1);
    const words = [name, aliases, args].map((cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word));
    return [...words, kind?.trim()];
  });
  const actual = BUILT_IN_TOOLS.map(({ name, parameters, kind }) => {
    const [, ...aliases] = KNOWN_TOOLS.find(([known]) => known === name) ?? [];
    return [[name], aliases, argumentsOf(parameters), kind];
  });
  expect(documented).toEqual(actual);
});

test("every argument is described to the model, and the schema is plain JSON Schema", () => {
  for (const tool of BUILT_IN_TOOLS) {
    expect(argumentsOf(tool.parameters)).not.toEqual([]);
    expect(tool.parameters).not.toHaveProperty("$schema");
    expect(JSON.parse(JSON.stringify(tool.parameters))).toEqual(tool.parameters);
    expect(tool.parameters).toBe(tool.parameters); // made once
  }
});
