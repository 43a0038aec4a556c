import { expect, test } from "vitest";
import { foldPath } from "../../../src/config/trust/foldedPath.ts";

test.each([
  ["src/Main.ts", "src/main.ts"],
  [".GIT/config", ".git/config"],
  [".git./config ", ".git/config"],
  [".git::$INDEX_ALLOCATION/config", ".git/config"],
  ["GIT~1/hooks", ".git/hooks"],
  [".g\u200cit/x", ".git/x"],
  [".hoo\u212aline", ".hookline"],
  [".\u017fystem", ".system"],
  ["..", ""],
])("%j is compared as %j", (path, folded) => {
  expect(foldPath(path)).toBe(folded);
});

test("a long run of dots takes linear time", () => {
  const startedAt = performance.now();
  foldPath(`${".".repeat(2_000_000)}x`);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
