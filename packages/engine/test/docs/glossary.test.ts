import { expect, test } from "vitest";
import { readText, tableRows } from "../../../../test/repository.ts";

test("the glossary has at most thirty terms, in alphabetical order", () => {
  const terms = tableRows(readText("docs/glossary.md")).map(([term = ""]) => term);
  expect(terms.length).toBeLessThanOrEqual(30);
  expect(terms).toEqual(terms.toSorted((one, other) => one.localeCompare(other)));
});
