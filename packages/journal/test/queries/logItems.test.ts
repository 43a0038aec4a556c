import { expect, test } from "vitest";
import { readLog } from "../../src/queries/logItems.ts";
import { openJournalReader } from "../../src/reader/journalReader.ts";
import { guarded } from "../support/entries.ts";
import { JournalFolder } from "../support/journalFixtures.ts";

test("the newest lines that a filter lets through come oldest first, each with its hooks", async () => {
  const folder = new JournalFolder();
  folder.writer().append([guarded(1, "block"), guarded(2, "block"), guarded(3, "allow"), guarded(4, "block")]);
  const reader = await openJournalReader(folder.place);
  if (!reader) throw new Error("There is no journal");
  const lines = [...readLog(reader, { decision: "block" }, 2)];
  reader.close();
  expect(lines.map(({ record }) => record.eventId)).toEqual(["0002aaaa-0000", "0004aaaa-0000"]);
  expect(lines.map(({ hooks }) => hooks.map(({ hook, outcome }) => [hook, outcome]))).toEqual([
    [["guard", "block"]],
    [["guard", "block"]],
  ]);
});
