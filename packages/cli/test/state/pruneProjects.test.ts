import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { pruneProjects } from "../../../journal/src/state/pruneProjects.ts";
import { makeStateSubfolder } from "../../../journal/src/state/stateFolder.ts";
import { forgetJournal as forget } from "../../../journal/src/writer/forgetJournal.ts";
import { eventEntry, JournalFolder } from "../journal/journalFixtures.ts";
import { Machine } from "../support/machine.ts";

const DAY_MS = 86_400_000;
const forgetJournal = (folder: string) => rmSync(join(folder, "journal.db"));

/** State of a project, last written to so many days ago. */
function state(machine: Machine, name: string, days: number): string {
  machine.write({ [`${name}/here`]: "" });
  const place = { ...machine.place, projectRoot: join(machine.dir, name) };
  const folder = join(makeStateSubfolder(place, "sessions"), "..");
  for (const file of ["journal.db", "tasks.db", "sessions/one.jsonl"]) {
    writeFileSync(join(folder, file), "x".repeat(1_000));
    const at = Date.now() / 1_000 - days * 86_400;
    utimesSync(join(folder, file), at, at);
  }
  return folder;
}

test("where all state together is too large, the oldest journals and transcripts go: never tasks, never those of this project", () => {
  const machine = new Machine();
  const own = state(machine, "project", 30);
  const [old, newer] = [state(machine, "old", 20), state(machine, "newer", 1)];
  const now = Date.now();
  expect(pruneProjects(machine.place, { now, maxBytes: 4_000, forgetJournal }).toSorted()).toEqual([
    join(old, "journal.db"),
    join(old, "sessions/one.jsonl"),
  ]);
  expect(machine.has(`${machine.state}/journal.db`)).toBe(true);
  expect([own, newer, old].every((folder) => machine.has(join(folder, "tasks.db").slice(machine.dir.length + 1)))).toBe(
    true,
  );
  // At most once a day.
  expect(pruneProjects(machine.place, { now: now + 1_000, maxBytes: 0, forgetJournal })).toEqual([]);
  expect(pruneProjects(machine.place, { now: now + 2 * DAY_MS, maxBytes: 0, forgetJournal })).toHaveLength(2);
});

test("what is not too large stays", () => {
  const machine = new Machine();
  state(machine, "old", 400);
  expect(pruneProjects(machine.place, { now: Date.now(), forgetJournal })).toEqual([]);
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
