import { expect, test } from "vitest";
import { nested, overlay } from "../../src/hooktest/fields.ts";

test.each([
  [{ "tool_input.file_path": "a" }, { tool_input: { file_path: "a" } }],
  [{ "a.b": 1, a: { c: 2 } }, { a: { b: 1, c: 2 } }],
  [{ a: { "b.c": 1 } }, { a: { "b.c": 1 } }],
  [{}, {}],
])("%j means %j", (fields, whole) => {
  expect(nested(fields)).toEqual(whole);
});

test.each([
  [{ a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
  [{ a: { b: 1, c: { d: 2 } } }, { a: { c: { e: 3 } } }, { a: { b: 1, c: { d: 2, e: 3 } } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: 1 } }, { a: null }, { a: null }],
  [{ a: "text" }, { a: { b: 1 } }, { a: { b: 1 } }],
])("%j under %j is %j", (below, above, together) => {
  expect(overlay(below, above)).toEqual(together);
});

test("a field called __proto__ is a field like any other", () => {
  const fields: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
  const together = overlay({ a: 1 }, fields);
  expect(Object.keys(together)).toEqual(["a", "__proto__"]);
  expect(Object(together).polluted).toBeUndefined();
});
