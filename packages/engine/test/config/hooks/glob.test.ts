import { describe, expect, test } from "vitest";
import { compileGlob, compileGlobs, globFault } from "../../../src/config/hooks/glob.ts";

describe("a glob", () => {
  test.each([
    ["*", ["a", ".a"], ["a/b", ""]],
    ["**", ["a", "a/b/.c"], []],
    ["src/**", ["src", "src/a", "src/a/b"], ["srcs/a", "lib/src/a"]],
    ["**/*.ts", ["a.ts", "x/a.ts", "x/y/a.ts"], ["a.tsx"]],
    ["**.ts", ["a.ts", "x/y/a.ts"], ["a.tsx"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/x"]],
    ["./a?.md", ["ab.md"], ["a.md", "a/.md"]],
    ["a.{ts,js{,on}}", ["a.ts", "a.js", "a.json"], ["a.jso"]],
    ["v{1..3}", ["v1", "v3"], ["v4"]],
    ["[a-c]x", ["ax", "cx"], ["dx", "-x"]],
    ["[!a-c]x", ["dx"], ["ax"]],
    ["[]-]", ["]", "-"], ["a"]],
    ["a[", ["a["], ["a"]],
    ["{a}", ["{a}"], ["a"]],
    ["\\*\\{", ["*{"], ["a{"]],
    ["app/(shop)/*", ["app/(shop)/x"], ["app/shop/x"]],
    ["👍?", ["👍a", "👍👍"], ["👍"]],
  ])("%s", (glob, hits, misses) => {
    const matches = compileGlob(glob);
    expect([...hits, ...misses].filter(matches)).toEqual(hits);
  });

  test("may ignore case, and may be inverted where that is wanted", () => {
    expect(compileGlob("*.TS", { ignoreCase: true })("A.ts")).toBe(true);
    expect(["docs/a", "src/a"].filter(compileGlobs(["!docs/**"], { negatable: true }))).toEqual(["src/a"]);
    expect(compileGlob("!a")("!a")).toBe(true);
  });

  test.each(["+(a|b)", "@(a)", "!(a)", "*.?(c)ts", "(a|b)", "{a,b}".repeat(9), "{1..500}", "a".repeat(1_001)])(
    "%s is refused",
    (glob) => {
      expect(globFault(glob)).toBeDefined();
      expect(() => compileGlob(glob)).toThrow("The glob");
    },
  );

  test.each([
    ["*a".repeat(499), "a".repeat(4_000)],
    [`${"*a".repeat(25)}b`, "a".repeat(250)],
    [`${"**/a/".repeat(190)}b`, `${"a/".repeat(2_000)}a`],
    ["{".repeat(500), "a"],
    [`${"{a,".repeat(200)}${"}".repeat(200)}`, "b"],
    ["(".repeat(1_000), "a"],
  ])("takes no time on a long path (%#)", (glob, path) => {
    expect(compileGlob(glob)(`${path}!`)).toBe(false);
  });
});
