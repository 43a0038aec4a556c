import { expect, test } from "vitest";
import { decisionLines, decisionText, holdsHiddenBlanks } from "../../src/terminal/decisionText.ts";

test.each([
  ["a  b", "a  b"],
  [`a${" ".repeat(9_000)}b`, "a… 9,000 spaces …b"],
  [`a${"\u00a0".repeat(2)}b\u3000c\u2800`, "a\\u00a0\\u00a0b\\u3000c\\u2800"],
  ["a\u001b[2Jb\u202ec", "a\\e[2Jb\\u202ec"],
  [`e\u0301 Z${"\u0301".repeat(5)}`, "e\u0301 Z\\u0301\\u0301\\u0301\\u0301\\u0301"],
])("%j is shown as %j", (text, shown) => {
  expect(decisionText(text)).toBe(shown);
});

test.each([
  ["a\n\n\n\nb", ["a", "", "", "", "b"]],
  [`a${"\n".repeat(9_001)}b`, ["a", "… 9,000 blank lines …", "b"]],
  [`+a\n${"+\n".repeat(5)} \n-\n-b`, ["+a", "+… 5 blank lines …", " ", "-", "-b"]],
  [`a${"\t".repeat(11)}b`, ["a… 44 spaces …b"]],
])("%j is shown as the lines %j", (text, lines) => {
  expect(decisionLines(text)).toEqual(lines);
});

test("it is known whether blanks were hidden", () => {
  expect(holdsHiddenBlanks(decisionLines(`a${" ".repeat(50)}b`))).toBe(true);
  expect(holdsHiddenBlanks(decisionLines("a  b\n\nc"))).toBe(false);
});
