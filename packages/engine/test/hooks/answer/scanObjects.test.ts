import { performance } from "node:perf_hooks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanObjects } from "../../../src/hooks/answer/scanObjects.ts";

const DENY = '{"decision":"deny","reason":"no"}';
const DENIED = { decision: "deny", reason: "no" };

test.each([
  ["text before and after", `INFO ${DENY} bye`],
  ["sixty braces before it", `${"{".repeat(60)} ${DENY}`],
  ["other objects around it", `{"level":30}${DENY}{"level":30}`],
  ["an object that does not end", `{"a":{"b":[ ${DENY}`],
  ["a string that does not end", `{"a":" ${DENY}`],
  ["a string that ends in a backslash", `{"a":"\\ ${DENY}`],
  ["an object that breaks in a string", `{"a":"${DENY}`],
  ["a key that does not end", `{" ${DENY}`],
  ["a list around it", `[1, [${DENY}]]`],
  ["a fence", `\`\`\`json\n${DENY}\n\`\`\``],
  ["an object inside the strings of another", `{"{":":","}":1} ${DENY}`],
])("finds an object behind or inside %s", (_name, text) => {
  expect(scanObjects(text).objects).toContainEqual(DENIED);
});

test.each([
  ["raw control characters", '{"reason":"a\nb\tc","decision":"deny"}', { reason: "a\nb\tc", decision: "deny" }],
  [
    "escapes that JSON does not know",
    '{"reason":"C:\\path","decision":"deny"}',
    { reason: "C:path", decision: "deny" },
  ],
  ["words that JSON does not know", '{"score":NaN,"decision":"deny"}', { decision: "deny" }],
  ["a comma at the end", '{"decision":"deny",}', { decision: "deny" }],
  ["escaped keys", '{"\\u0064ecision":"d\\u0065ny"}', { decision: "deny" }],
  ["an end in the middle of a text", '{"decision":"deny","reason":"beca', { decision: "deny", reason: "beca" }],
  ["a quote too many", '{"decision":"deny","reason":"rm "x""}', { decision: "deny", reason: "rm " }],
])("reads an object with %s", (_name, text, expected) => {
  expect(scanObjects(text).objects).toEqual([expected]);
});

test("an object is found wherever it stands in any text", () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom("{", '"', "\\", "[", ":", ",", "}", '{"a":', "\n", DENY));
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(scanObjects(before + DENY + after).objects).toContainEqual(DENIED);
    }),
    { numRuns: 2000 },
  );
});

test("what JSON.parse drops of an object that names a field twice is found", () => {
  const { objects, roots } = scanObjects('{"decision":"deny","reason":"x","decision":"allow"}');
  expect(objects).toContainEqual({ decision: "deny", reason: "x" });
  expect(roots).toMatchObject([{ pairs: 3 }]);
});

describe("a megabyte takes no longer than linear time", () => {
  const MEGABYTE = 1_000_000;
  const filled = (unit: string) => unit.repeat(Math.ceil(MEGABYTE / unit.length));
  test.each([
    ["braces", "{"],
    ["nested objects", '{"a":'],
    ["nested lists", "["],
    ["objects in lists", '{"a":['],
    ["quotes and braces", '"{'],
    ["braces in strings", '{"a":"{{{{{{{{{{'],
    ["repeated fields", '{"decision":"x","decision":"y",'],
    ["whole objects", "{}"],
    ["half objects", '{"a" '],
    ["backslashes", '{"\\\\'],
    ["objections", DENY],
  ])("of %s", (_name, unit) => {
    const started = performance.now();
    scanObjects(filled(unit));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
