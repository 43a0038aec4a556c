import { expect, test } from "vitest";
import { ROOT, readText, tableRows } from "../../../../test/repository.ts";
import { ADVICE } from "../../src/errors.ts";

test("the page of errors has every code of both packages with its advice, and no other", async () => {
  const { PROGRAM_ADVICE } = await import(`${ROOT}packages/cli/src/errors.ts`);
  const all = { ...ADVICE, ...PROGRAM_ADVICE };
  const rows = tableRows(readText("docs/reference/errors.md"));
  const written = rows.map(([code = "", meaning = "", advice = ""]) => {
    expect(meaning).not.toBe("");
    return [code.replaceAll("`", ""), advice];
  });
  expect(Object.fromEntries(written)).toEqual(all);
  expect(written).toHaveLength(Object.keys(ADVICE).length + Object.keys(PROGRAM_ADVICE).length);
});
