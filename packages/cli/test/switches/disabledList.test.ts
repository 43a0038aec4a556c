import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { withName, withoutName } from "../../src/switches/disabledList.ts";

const COMMENTED = `{
  // all my hooks
  "hooks": {}, // none yet
  "hooksConfig": {
    "disabled": [
      "a", // too slow
      "b" // too loud
    ]
  }
}
`;

test.each([
  ["{}", '{\n  "hooksConfig": { "disabled": ["x"] }\n}'],
  ["{\n  // mine\n}\n", '{\n  // mine\n  "hooksConfig": { "disabled": ["x"] }\n}\n'],
  ['{ "hooks": {} }', '{ "hooks": {}, "hooksConfig": { "disabled": ["x"] } }'],
  ['{\n\t"hooks": {}, // d\n}', '{\n\t"hooks": {}, // d\n\t"hooksConfig": { "disabled": ["x"] },\n}'],
  ['{\r\n  "hooks": {}\r\n}', '{\r\n  "hooks": {},\r\n  "hooksConfig": { "disabled": ["x"] }\r\n}'],
  ['{"hooksConfig":{"disabled":[]}}', '{"hooksConfig":{"disabled":["x"]}}'],
  ['{"hooksConfig":{"disabled":["a"]}}', '{"hooksConfig":{"disabled":["a", "x"]}}'],
  ['{"hooksConfig":{"disabled":["x"]}}', '{"hooksConfig":{"disabled":["x"]}}'],
  [COMMENTED, COMMENTED.replace('"b" // too loud\n', '"b", // too loud\n      "x"\n')],
])("a name is added to %j", (text, expected) => {
  expect(withName(text, "x", "f")).toBe(expected);
});

test.each([
  [COMMENTED, "a", COMMENTED.replace('"a", // too slow', "// too slow")],
  [COMMENTED, "b", COMMENTED.replace('"a", // too slow\n      "b" // too loud', '"a" // too slow\n      // too loud')],
  ['{"hooksConfig":{"disabled":["a", "b"]}}', "a", '{"hooksConfig":{"disabled":["b"]}}'],
  ['{"hooksConfig":{"disabled":["a", "b"]}}', "b", '{"hooksConfig":{"disabled":["a"]}}'],
  ['{"hooksConfig":{"disabled":["a",]}}', "a", '{"hooksConfig":{"disabled":[]}}'],
  ['{"hooksConfig":{"disabled":["a", "b", "a"]}}', "a", '{"hooksConfig":{"disabled":["b"]}}'],
  ['{"hooks":{}}', "a", '{"hooks":{}}'],
])("from %j the name %j is taken out", (text, name, expected) => {
  expect(withoutName(text, name, "f")).toBe(expected);
});

test.each([
  ["{", "CONFIG_SYNTAX"],
  ["", "CONFIG_SYNTAX"],
  ["[]", "CONFIG_INVALID"],
  ['{"hooksConfig": 1}', "CONFIG_INVALID"],
  ['{"hooksConfig": {"disabled": "a"}}', "CONFIG_INVALID"],
])("%j is not touched", (text, code) => {
  expect(() => withName(text, "x", "f")).toThrow(
    expect.objectContaining({ code, where: expect.objectContaining({ file: "f" }) }),
  );
});

test("whatever the layout, adding and removing change the list alone and keep every comment", () => {
  const name = fc.constantFrom("a", "b", "c", 'q"\\', "// no comment", "x, y");
  const space = fc.constantFrom("", " ", "\n  ", "\t", " /* c */ ", "\n // c\n  ");
  const list = fc.tuple(fc.array(fc.tuple(name, space, space), { maxLength: 4 }), fc.boolean(), space);
  fc.assert(
    fc.property(list, name, space, ([items, trailing, end], wanted, before) => {
      const written = items.map(([item, a, b]) => `${a}${JSON.stringify(item)}${b}`).join(",");
      const comma = trailing && items.length > 0 ? "," : "";
      const text = `{${before}"hooksConfig":${before}{"disabled":[${written}${comma}${end}], "maxParallel": 3}, "hooks": {}}`;
      const names = items.map(([item]) => item);
      const added = withName(text, wanted, "f");
      const removed = withoutName(text, wanted, "f");
      const rest = { hooks: {}, hooksConfig: { maxParallel: 3 } };
      const config = (disabled: string[]) => ({ ...rest, hooksConfig: { disabled, maxParallel: 3 } });
      expect(strictly(added)).toEqual(config(names.includes(wanted) ? names : [...names, wanted]));
      expect(strictly(removed)).toEqual(config(names.filter((other) => other !== wanted)));
      expect([comments(added), comments(removed)]).toEqual([comments(text), comments(text)]);
    }),
  );
});

function strictly(text: string): unknown {
  const errors: never[] = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

function comments(text: string): number {
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
  return withoutStrings.split(/\/\* c \*\/|\/\/ c\n/).length;
}
