import { expect, test } from "vitest";
import { shortened, visible, visibleJson, visibleLines } from "../../src/terminal/visible.ts";

test.each([
  ["plain text, ünïcödé, 漢字 and 🙂", "plain text, ünïcödé, 漢字 and 🙂"],
  ["\u001b[2J\u001b[1;1Hforged", "\\e[2J\\e[1;1Hforged"],
  ["one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"],
  ["\u009b31m", "\\u009b31m"],
  ["a\u202egnp.exe", "a\\u202egnp.exe"],
  ["zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"],
  ["tag\u{e0041}", "tag\\udb40\\udc41"],
  ["\u0000\u007f", "\\u0000\\u007f"],
])("%j is shown as %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test("lines stay lines, and nothing in them acts on the terminal", () => {
  expect(visibleLines("a\r\n\tb\u001b]0;x\u0007\n")).toEqual(["a", "    b\\e]0;x\\u0007", ""]);
});

test("JSON is harmless on a terminal and still the same value", () => {
  const value = { "\u001b": ["\u009b", "\u202e", "a\nb", "\u{e0041}"] };
  const text = visibleJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.split("\n").filter((line) => line !== visible(line))).toEqual([]);
});

test("a shortened text is at most as long as asked", () => {
  expect([shortened("abcdef", 4), shortened("abcd", 4)]).toEqual(["abc…", "abcd"]);
});
