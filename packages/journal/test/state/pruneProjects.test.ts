import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { pruneProjects } from "../../src/state/pruneProjects.ts";
import { makeStateSubfolder } from "../../src/state/stateFolder.ts";
import { forgetJournal as forget } from "../../src/writer/forgetJournal.ts";
import { eventEntry, JournalFolder } from "../support/journalFixtures.ts";

const DAY_MS = 86_400_000;
const forgetJournal = (folder: string) => rmSync(join(folder, "journal.db"));

/** State of a project, last written to so many days ago. */
function state({ dir, place: own }: JournalFolder, name: string, days: number): string {
  mkdirSync(join(dir, name), { recursive: true });
  const place = { ...own, projectRoot: join(dir, name) };
  const folder = join(makeStateSubfolder(place, "sessions"), "..");
  for (const file of ["journal.db", "tasks.db", "sessions/one.jsonl"]) {
    writeFileSync(join(folder, file), "x".repeat(1_000));
    const at = Date.now() / 1_000 - days * 86_400;
    utimesSync(join(folder, file), at, at);
  }
  return folder;
}

test("where all state together is too large, the oldest journals and transcripts go: never tasks, never those of this project", () => {
  const folders = new JournalFolder();
  const own = state(folders, "project", 30);
  const [old, newer] = [state(folders, "old", 20), state(folders, "newer", 1)];
  const now = Date.now();
  expect(pruneProjects(folders.place, { now, maxBytes: 4_000, forgetJournal }).toSorted()).toEqual([
    join(old, "journal.db"),
    join(old, "sessions/one.jsonl"),
  ]);
  expect(existsSync(folders.path)).toBe(true);
  expect([own, newer, old].every((folder) => existsSync(join(folder, "tasks.db")))).toBe(true);
  // At most once a day.
  expect(pruneProjects(folders.place, { now: now + 1_000, maxBytes: 0, forgetJournal })).toEqual([]);
  expect(pruneProjects(folders.place, { now: now + 2 * DAY_MS, maxBytes: 0, forgetJournal })).toHaveLength(2);
});

test("what is not too large stays", () => {
  const folders = new JournalFolder();
  state(folders, "old", 400);
  expect(pruneProjects(folders.place, { now: Date.now(), forgetJournal })).toEqual([]);
});

test("a journal that was removed to make space does not look like one that somebody cut off", async () => {
  const folder = new JournalFolder();
  const writer = folder.writer();
  writer.append([eventEntry(1), eventEntry(2)]);
  writer.close();
  forget(dirname(folder.path), folder.homeDir, Date.now());
  expect(await folder.verify()).toMatchObject({ intact: 0, unknown: 0, findings: [] });
  folder.writer().append([eventEntry(3)]);
  expect(await folder.verify()).toMatchObject({ intact: 1, unknown: 0, findings: [] });
});
