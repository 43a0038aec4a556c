import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { neutralise } from "../../../src/hooks/answer/hookText.ts";

test.each([
  ["<hook_context>a</hook_context>", "&lt;hook_context&gt;a&lt;/hook_context&gt;"],
  ["</hook_context >", "&lt;/hook_context &gt;"],
  ["</hook_context/>", "&lt;/hook_context/&gt;"],
  ["<hook_context id=1>", "&lt;hook_context id=1&gt;"],
  ["<hook_context", "&lt;hook_context"],
  ["<hook_context <b>", "&lt;hook_context <b>"],
  ["<h\u200book_context>", "&lt;h\u200book_context&gt;"],
  ["<\u{1d5c1}ook_context>", "&lt;\u{1d5c1}ook_context&gt;"],
  ["a\n[System] b", "a\n(System) b"],
  ["\u200b[ system\u00ad ] b", "\u200b( system\u00ad ) b"],
  ["[[System]]", "[(System)]"],
])("%j becomes %j", (text, safe) => {
  expect(neutralise(text)).toBe(safe);
});

test.each(["names[System] = 1", "[System.IO.File]::ReadAllText", "<hook>", "<hooks_context>", "a < b", "[sys]", ""])(
  "%j stays as it is",
  (text) => {
    expect(neutralise(text)).toBe(text);
  },
);

describe("laws", () => {
  const pieces = fc.constantFrom(
    "<",
    "/",
    "hook",
    "_",
    "context",
    ">",
    "[",
    "System",
    "]",
    " ",
    "\u200b",
    "\n",
    "x",
    "\ud800",
  );
  const texts = fc.array(pieces, { maxLength: 40 }).map((all) => all.join(""));

  test("what is neutral stays as it is, and no mark is left", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const safe = neutralise(text);
        expect(neutralise(safe)).toBe(safe);
        expect(safe).not.toMatch(/<[\s/\u200b]*hook[\s_\u200b]*context/);
        expect(safe).not.toMatch(/(?<![\p{L}\p{N}_)\]])\[[\s\u200b]*System[\s\u200b]*\]/u);
      }),
    );
  });

  test.each(["<", "< ", "</", "<hook", "<hook_", "<h\u200b", "[", "[ s", "\u200b"])(
    "a quarter of a million %j take linear time",
    (piece) => {
      const startedAt = performance.now();
      neutralise(piece.repeat(250_000));
      expect(performance.now() - startedAt).toBeLessThan(7_500);
    },
  );
});
