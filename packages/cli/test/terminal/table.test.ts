import { expect, test } from "vitest";
import { fitRows } from "../../src/terminal/fitRows.ts";
import { startWithin, widthOf } from "../../src/terminal/table.ts";

const FAMILY = "👨‍👩‍👧";
const FLAG = "🇨🇭";

test.each([
  ["plain", 5],
  ["größer … ✓ – “x” → └─", 21],
  ["日本", 4],
  ["e\u0301", 1],
  [FAMILY, 2],
  [FLAG, 2],
])("%j takes %d columns", (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

test.each([
  [`${FAMILY}ab`, 3, `${FAMILY}a`],
  [`a${FAMILY}`, 2, "a"],
  ["日本語", 5, "日本"],
])("a cut of %j at %d columns tears nothing", (text, columns, start) => {
  expect(startWithin(text, columns)).toBe(start);
});

test("the end of a line that is too long keeps its last characters whole", () => {
  const texts = fitRows([{ text: `${"x".repeat(100)}${FLAG}${FAMILY}` }], 2, 4).map(({ text }) => text);
  expect(texts).toEqual(["xxxx", expect.stringContaining("not shown"), `${FLAG}${FAMILY}`]);
});
