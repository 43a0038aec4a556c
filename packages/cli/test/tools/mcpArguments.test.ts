import { expect, test } from "vitest";
import { argumentCheck } from "../../src/tools/mcp/argumentCheck.ts";
import { expandedSize } from "../../src/tools/mcp/schemaSize.ts";

const POINT = { type: "object", properties: { x: { type: "number" } }, required: ["x"] };

test("arguments are checked, also by what a schema refers to", () => {
  const schema = { type: "object", properties: { at: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": POINT } };
  const check = argumentCheck(schema);
  expect([check({ at: { x: 1 } }), check({ at: {} })]).toEqual([undefined, "at must have required property 'x'"]);
});

test("arguments that would take too long to check are left to the server", () => {
  const check = argumentCheck({ type: "object", properties: { at: POINT } });
  expect(check({ at: "x".repeat(100) })).toBe("at must be object");
  expect(check({ at: "x".repeat(10_000_000) })).toBeUndefined();
});

test.each<[string, unknown, number]>([
  ["counts every value", { type: "string", enum: ["a", "b"] }, 5],
  ["counts a target once for each reference", { a: { $ref: "#/b" }, c: { $ref: "#/b" }, b: [1] }, 11],
  ["knows circles", { $ref: "#" }, Number.POSITIVE_INFINITY],
  ["knows longer circles", { a: { $ref: "#/b" }, b: { $ref: "#/a" } }, Number.POSITIVE_INFINITY],
  ["does not follow references out of the schema", { $ref: "http://localhost/a" }, Number.POSITIVE_INFINITY],
  ["does not trust paths where names can move them", { $id: "x" }, Number.POSITIVE_INFINITY],
  ["allows properties of such names", { properties: { $id: {}, uniqueItems: {}, $ref: {} } }, 5],
  ["refuses to compare all items", { uniqueItems: true }, Number.POSITIVE_INFINITY],
])("the size of a schema %s", (_what, schema, size) => {
  expect(expandedSize(schema)).toBe(size);
});
