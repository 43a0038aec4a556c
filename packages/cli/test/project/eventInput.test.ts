import { expect, test } from "vitest";
import { overridden } from "../../src/project/eventInput.ts";

test.each([
  ["a field", ["tool_name=read_file"], { tool_name: "read_file", tool_input: { a: 1 } }],
  ["a nested field, leaving its neighbours", ["tool_input.b=x y"], { tool_name: "t", tool_input: { a: 1, b: "x y" } }],
  ["JSON", ["tool_input.b=[1,true]"], { tool_name: "t", tool_input: { a: 1, b: [1, true] } }],
  ["text with an equals sign", ["tool_name=a=b"], { tool_name: "a=b", tool_input: { a: 1 } }],
  ["nothing", ["tool_name="], { tool_name: "", tool_input: { a: 1 } }],
])("key=value sets %s", (_, overrides, expected) => {
  expect(overridden({ tool_name: "t", tool_input: { a: 1 } }, overrides)).toEqual(expected);
});

test("a key cannot reach the prototype of anything", () => {
  const fields = overridden({}, ["__proto__.polluted=1"]);
  expect(Object.keys(fields)).toEqual(["__proto__"]);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("an argument that is not key=value is refused", () => {
  expect(() => overridden({}, ["=x"])).toThrow('"=x" is not of the form key=value.');
});
