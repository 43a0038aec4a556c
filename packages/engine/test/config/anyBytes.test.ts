import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../../src/config/values/parseJson.ts";
import { parseYaml } from "../../src/config/values/parseYaml.ts";
import { PROJECT_FILE, workspace } from "./workspace.ts";

const YAML_FILE = "project/.system/hooks/any.yaml";
const keys = [
  "hooks",
  "hooksConfig",
  "BeforeTool",
  "enabled",
  "disabled",
  "matcher",
  "type",
  "command",
  "onError",
  "env",
];
const yamlKeys = ["id", "event_type", "handler", "match", "kind", "enabled", "on_failure", "summary", "ability_scope"];
const words = [
  "command",
  "script",
  "BeforeTool",
  "SessionStop",
  "true",
  "block",
  "5s",
  "(",
  "./x.sh",
  "\0",
  "__proto__",
];

/** Settings of the right words in any arrangement: much closer to the code than random bytes. */
function wild(names: readonly string[]): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.oneof(fc.constantFrom(...words), fc.integer(), fc.boolean(), fc.constant(null), fc.string()),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, "__proto__", "hook"), tie("value"), { maxKeys: 5 }),
    ),
  })).value;
}

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string().map((text) => Buffer.from(text)),
  fc.constantFrom("/*", '{"hooks": {}}/*', "{}//", '{"a": "\\').map((text) => Buffer.from(text)),
  wild(keys).map((value) =>
    Buffer.from(JSON.stringify({ hooks: { BeforeTool: value, AfterModel: [{ hooks: [value] }] } })),
  ),
  wild(keys).map((value) => Buffer.from(JSON.stringify({ hooks: value, hooksConfig: value, tools: value }))),
  wild(yamlKeys).map((value) => Buffer.from(JSON.stringify(value))),
  wild(yamlKeys).map((value) =>
    Buffer.from(JSON.stringify({ event_type: "PreAbilityCall", handler: value, match: value })),
  ),
);

test("whatever stands in a settings file, loading ends with problems that have a place", async () => {
  const space = await workspace();
  const files = [PROJECT_FILE, YAML_FILE].map((file) => join(space.dir, file));
  for (const file of files) await mkdir(dirname(file), { recursive: true });
  await fc.assert(
    fc.asyncProperty(contents, async (bytes) => {
      for (const file of files) await writeFile(file, bytes);
      const { problems, hooks } = await space.load();
      for (const { where, what, next } of problems) {
        expect(where.line).toBeGreaterThan(0);
        expect(where.column).toBeGreaterThan(0);
        expect([files.includes(where.file), what.length > 0, next.length > 0]).toEqual([true, true, true]);
      }
      for (const one of hooks) {
        expect(one.target ?? one.off, "what cannot run says why").toBeDefined();
      }
    }),
    { numRuns: 150 },
  );
});

test.each([
  ["[".repeat(200_000), "The file nests deeper than 100 levels."],
  ["- ".repeat(100_000), "The file nests deeper than 100 levels."],
  ["? ".repeat(100_000), "The file nests deeper than 100 levels."],
  [`x: ${"y".repeat(300_000)}`, "The file is too large for one hook; the limit is 256 KiB."],
  ["a: &a [*a]", "The file uses more than 100 aliases."],
  [bomb(), "The file uses more than 100 aliases."],
  ["a: *nobody", 'The alias "*nobody" on line 1 has no anchor.'],
])("hostile YAML is refused before it costs anything (%#)", (text, what) => {
  expect(parseYaml("x.yaml", text)).toMatchObject({ kind: "broken", problem: { what, where: { line: 1 } } });
});

test("any text is either parsed or broken at a place, as JSON and as YAML", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const parsed of [parseJson("x", text), parseYaml("x", text)]) {
        if (parsed.kind === "broken") expect(parsed.problem.where.line).toBeGreaterThan(0);
      }
    }),
  );
});

/** Ten lines that would expand to a thousand million values. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(10)}]`);
  return ["a0: &a0 [x]", ...lines].join("\n");
}
