import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { compilePattern, formOf, loadLinearEngine, needsLinearEngine } from "../../../src/config/hooks/pattern.ts";

const ANYWHERE = { ignoreCase: false, mayRunNatively: true };

beforeAll(loadLinearEngine);

describe("a matcher is", () => {
  test.each([
    ["write_file|replace", "words"],
    ["^mcp_.*", "linear"],
    ["(?<name>a+)+$", "linear"],
    ["*.ts", "literal"],
    ["mcp_[", "literal"],
    ["(?=a)b", "native"],
    ["(?<!a)b", "native"],
    ["(a)\\1", "native"],
    ["a{1001}", "native"],
    ["(a{100}){100}{2}", "literal"],
    ["((a{100}){100}){100}", "native"],
    [`^(${"a".repeat(10_000)})$`, "native"],
  ])("%s: %s", (matcher, kind) => {
    expect(formOf(matcher).kind).toBe(kind);
    expect(needsLinearEngine(matcher)).toBe(kind === "linear");
  });
});

const ATOMS = [
  ..."ab_-./ ]{}",
  ...["\\d", "\\w", "\\s", "\\S", "\\b", "\\B", "\\A", "\\z", "\\pL", "\\Q", "\\_", "\\u0061", "\\x62", "\\0", "\\."],
  ...["[ab]", "[^a]", "[a-c]", "[\\w-]", "[\\d-x]", "[^]", "[]", "[[:alpha:]]", "[\\b]", "[+--]", "[\\S]", "[^\\s]"],
  ...["(a|b)", "(?:ab)", "(?<n>a)", "^", "$", "|", "b{0,2}", "{,2}"],
];
const TEXTS = [
  "",
  "a",
  "b",
  "aab",
  "a-b",
  "a b",
  "pL",
  "AQz",
  "{",
  "]",
  "a/b",
  "[alph]",
  "u0061",
  "a\nb",
  "{,2}",
  "\0",
  "é",
  "+",
];

test("means what JavaScript says it means", () => {
  const atom = fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom("", "", "*", "+", "?", "*?", "{1,2}"));
  const patterns = fc.array(atom, { minLength: 1, maxLength: 5 }).map((atoms) => atoms.flat().join(""));
  fc.assert(
    fc.property(patterns, fc.boolean(), (matcher, ignoreCase) => {
      fc.pre(formOf(matcher).kind === "linear");
      const flags = ignoreCase ? "i" : "";
      const [anywhere, whole] = [new RegExp(matcher, flags), new RegExp(`^(?:${matcher})$`, flags)];
      const pattern = compilePattern(matcher, { ignoreCase, mayRunNatively: false });
      expect(TEXTS.map(pattern.test)).toEqual(TEXTS.map((text) => anywhere.test(text)));
      expect(TEXTS.map(pattern.testWhole)).toEqual(TEXTS.map((text) => whole.test(text)));
    }),
    { numRuns: 300 },
  );
});

describe("a hostile matcher", () => {
  test.each(["^((((([a-z_]*)*)*)*)*)*X$", "(a|a)*b", "(a*)*(a*)*(a*)*$x", "^(a+)+$"])(
    "%s is tested in linear time",
    (matcher) => {
      expect(formOf(matcher).kind).toBe("linear");
      expect(compilePattern(matcher, ANYWHERE).test(`${"a".repeat(900)}!`)).toBe(false);
    },
  );

  test("that has to run natively is cut short, and counts as a match", () => {
    const pattern = compilePattern("(?=a)(a*)*$b", ANYWHERE);
    expect([pattern.test(`${"a".repeat(200)}!`), pattern.test("bcd")]).toEqual([true, false]);
  });

  test("that may not run natively matches everything, and nothing whole", () => {
    const pattern = compilePattern("(?!a)b", { ignoreCase: false, mayRunNatively: false });
    expect([pattern.test("x"), pattern.testWhole("b")]).toEqual([true, false]);
  });

  test("is not tested on a name longer than any tool's: that counts as a match", () => {
    const pattern = compilePattern("^(a+)+b$", ANYWHERE);
    expect([pattern.test("a".repeat(1_000)), pattern.test("a".repeat(1_001))]).toEqual([false, true]);
  });
});

test("look-ahead and backreferences still work where they may", () => {
  const pattern = compilePattern("^mcp_(?!git)", ANYWHERE);
  expect(["mcp_git_push", "mcp_web_get"].map(pattern.test)).toEqual([false, true]);
  expect(compilePattern("^(a|b)\\1$", { ...ANYWHERE, ignoreCase: true }).testWhole("AA")).toBe(true);
});
