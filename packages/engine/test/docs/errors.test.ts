import { expect, test } from "vitest";
import { ADVICE } from "../../src/errors.ts";
import { readText, tableRows } from "./repository.ts";

test("the page of errors has every code with its advice, and no other", () => {
  const rows = tableRows(readText("docs/reference/errors.md"));
  const written = rows.map(([code = "", meaning = "", advice = ""]) => {
    expect(meaning).not.toBe("");
    return [code.replaceAll("`", ""), advice];
  });
  expect(Object.fromEntries(written)).toEqual(ADVICE);
  expect(written).toHaveLength(Object.keys(ADVICE).length);
});
