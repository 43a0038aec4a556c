import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { yamlText } from "../../src/scaffold/yamlText.ts";
import { visible } from "../../src/terminal/visible.ts";

const SCHEMA = {
  properties: { id: { description: "its name" }, handler: { properties: { kind: { description: "how it runs" } } } },
};

test("every field stands below what the schema says about it, and one without a value is a comment", () => {
  const text = yamlText(
    ["yaml-language-server: $schema=x.json"],
    [
      { key: "id", value: "no-secrets" },
      { key: "env", example: "{ LEVEL: strict }" },
      {
        key: "handler",
        fields: [
          { key: "kind", value: "script" },
          { key: "command", value: "./run.sh --fast", comment: "what runs" },
          { key: "retries", example: "2" },
        ],
      },
      { key: "tests", value: [{ names: ["a", "b*"], on: true }] },
      { key: "last" },
    ],
    SCHEMA,
  );
  expect(text).toBe(`# yaml-language-server: $schema=x.json
# its name
id: no-secrets
# env: { LEVEL: strict }
handler:
  # how it runs
  kind: script
  # what runs
  command: ./run.sh --fast
  # retries: 2
tests:
  - names: [a, "b*"]
    "on": true
# last: …
`);
});

test.each([
  "on",
  "No",
  "y",
  "null",
  "~",
  "true",
  "12",
  "1e3",
  "12:30",
  "0o17",
  "- a",
  "#",
  "*a",
  "",
  " a",
  "a: b",
  "a #b",
  "2025-11-16",
])("%j is read as text by every version of YAML", (value) => {
  const text = yamlText([], [{ key: "a", value }]);
  for (const version of ["1.1", "1.2"] as const) expect(parse(text, { version })).toEqual({ a: value });
});

test("any text is read as it was given, on one line of visible characters", () => {
  const unit = fc.oneof(
    fc.constantFrom(..."abc012 -:#'\"\\*&!|>%@`[]{},?~./\n\r\t\u0085\u2028\u202e\u001b\u200b\ufeff\u{e0001}😀"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 120 }), fc.array(unit, { maxLength: 20 }), (one, other) => {
      const [value, item] = [one.join(""), other.join("")];
      const text = yamlText(
        [],
        [
          { key: "a", value },
          { key: "list", value: [item, value] },
        ],
      );
      expect(parse(text)).toEqual({ a: value, list: [item, value] });
      expect(text.split("\n").map(visible).join("\n")).toBe(text);
      expect(text.split("\n")).toHaveLength(3);
    }),
    { numRuns: 1_000 },
  );
});
