import { expect, test } from "vitest";
import { ROOT, readText, tableRows } from "../../../../test/repository.ts";
import { ADVICE } from "../../src/errors.ts";

test("the page of errors has every code of every package with its advice, and no other", async () => {
  const { PROGRAM_ADVICE } = await import(`${ROOT}packages/cli/src/errors.ts`);
  const { JOURNAL_ADVICE } = await import(`${ROOT}packages/journal/src/errors.ts`);
  const all = { ...ADVICE, ...JOURNAL_ADVICE, ...PROGRAM_ADVICE };
  const rows = tableRows(readText("docs/reference/errors.md"));
  const written = rows.map(([code = "", meaning = "", advice = ""]) => {
    expect(meaning).not.toBe("");
    return [code.replaceAll("`", ""), advice];
  });
  expect(Object.fromEntries(written)).toEqual(all);
  const codes = [ADVICE, JOURNAL_ADVICE, PROGRAM_ADVICE].flatMap((table) => Object.keys(table));
  expect(written).toHaveLength(codes.length);
});
