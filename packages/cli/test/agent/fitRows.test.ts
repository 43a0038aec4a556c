import { expect, test } from "vitest";
import { fitRows, rowsOf } from "../../src/terminal/fitRows.ts";

const lines = (...texts: string[]) => texts.map((text) => ({ text }));

test("rows are counted at the terminal's width", () => {
  expect(rowsOf(lines("", "a", "x".repeat(10), "x".repeat(11), "漢".repeat(6)), 10)).toBe(7);
});

test("lines that fit are returned as they are", () => {
  const some = lines("a", "b");
  expect(fitRows(some, 2, 10)).toBe(some);
});

test("of too many lines the middle is left out", () => {
  expect(fitRows(lines("a", "b", "c", "d", "e"), 4, 10)).toEqual(lines("a", "b", "… 1 line is not shown …", "d", "e"));
});

test("of one line that is too long, too", () => {
  const text = `${"a".repeat(20)}${"-".repeat(5_000)}${"z".repeat(20)}`;
  expect(fitRows(lines(text), 4, 10)).toEqual(
    lines("a".repeat(20), "… 5,000 characters are not shown …", "z".repeat(20)),
  );
});

test("no more rows than allowed are taken, and the note", () => {
  const many = lines(...Array.from({ length: 50 }, (_, index) => "x".repeat(index * 7)));
  for (const max of [1, 2, 5, 8, 33])
    expect(rowsOf(fitRows(many, max, 20), 20)).toBeLessThanOrEqual(Math.max(2, max) + 2);
});
