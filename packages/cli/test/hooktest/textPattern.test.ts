import { expect, test } from "vitest";
import { isIn, readPattern } from "../../src/hooktest/textPattern.ts";

test.each([
  ["key", "an AWS key", true],
  ["Key", "an AWS key", false],
  ["/k.y$/", "an AWS key", true],
  ["/^key/", "an AWS key", false],
  ["/", "a/b", true],
  ["//", "a//b", true],
  ["/usr/bin", "in /usr/bin", true],
  ["/a\nb/", "a\nb", true],
])("%j in %j: %j", (pattern, text, found) => {
  expect(isIn(readPattern(pattern), text)).toBe(found);
});

test("an invalid regular expression is refused", () => {
  expect(() => readPattern("/(/")).toThrow(SyntaxError);
});

test("an expression that would take years has no match", { timeout: 60_000 }, () => {
  expect(isIn(readPattern("/^(a+)+$/"), `${"a".repeat(50)}b`)).toBe(false);
});
