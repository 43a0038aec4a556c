import { expect, test } from "vitest";
import { entryFiles, exportedNames } from "../../../../test/exportedNames.ts";

test("the program hands out the Tool Runner alone, with at most 25 names", () => {
  expect(entryFiles("packages/cli")).toEqual(["src/abilities/index.ts"]);
  const names = exportedNames("packages/cli/src/abilities/index.ts");
  expect(names.length).toBeGreaterThan(15);
  expect(names.length).toBeLessThanOrEqual(25);
});
