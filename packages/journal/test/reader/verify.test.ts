import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { verifyJournal } from "../../src/reader/verifyJournal.ts";
import { statePath } from "../../src/state/statePlace.ts";
import type { JournalWriter } from "../../src/writer/journalWriter.ts";
import { event, runIn } from "../support/entries.ts";
import { eventEntry, JournalFolder, OPTIONS } from "../support/journalFixtures.ts";

function written(count = 10): JournalFolder {
  const folder = new JournalFolder();
  const writer = folder.writer();
  for (let nth = 1; nth <= count; nth++) writer.append([eventEntry(nth)]);
  return folder;
}

/** A record that somebody else adds, in the place of `%n`. */
const COPY_OF_LAST = `INSERT INTO records SELECT 99, chain, %n, at, kind, session, turn, event_id, event, subject, hook, outcome,
  duration_us, body, written, prev, mac FROM records WHERE n = 3`;

test("a journal that nobody touched is intact", async () => {
  expect(await written().verify()).toEqual({ intact: 10, others: [], unknown: 0, findings: [] });
});

test.each([
  ["body", `'{"reason":"all fine"}'`],
  ["outcome", "'allowed'"],
  ["at", "1"],
  ["hook", "'somebody'"],
  ["session", "'other'"],
  ["duration_us", "duration_us + 1"],
])("a record whose %s was changed is found", async (column, value) => {
  const folder = written();
  folder.tamper((db) => db.exec(`UPDATE records SET ${column} = ${value} WHERE n = 4`));
  expect(await folder.verify()).toEqual({
    intact: 9,
    others: [],
    unknown: 0,
    findings: [{ kind: "altered", id: 4, n: 4 }],
  });
});

test("a record that was taken out is found", async () => {
  const folder = written();
  folder.tamper((db) => db.exec("DELETE FROM records WHERE n IN (4, 5)"));
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "removed", from: 4, to: 5 }] });
});

test("records that were taken out from the beginning are found", async () => {
  const folder = written();
  folder.tamper((db) => db.exec("DELETE FROM records WHERE n <= 3"));
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "removed", from: 1, to: 3 }] });
});

test("the order cannot be changed", async () => {
  const folder = written();
  folder.tamper((db) => {
    db.exec("UPDATE records SET n = 100 WHERE n = 4");
    db.exec("UPDATE records SET n = 4 WHERE n = 5");
    db.exec("UPDATE records SET n = 5 WHERE n = 100");
  });
  expect((await folder.verify()).findings).not.toEqual([]);
});

test("a tail that was cut off is found", async () => {
  const folder = written();
  folder.tamper((db) => db.exec("DELETE FROM records WHERE n > 7"));
  expect(await folder.verify()).toEqual({
    intact: 7,
    others: [],
    unknown: 0,
    findings: [{ kind: "cut", from: 8, to: 10 }],
  });
});

test("a tail that was cut off stays found after more was written", async () => {
  const folder = written();
  folder.tamper((db) => db.exec("DELETE FROM records WHERE n > 7"));
  const writer = folder.writer();
  for (let nth = 11; nth <= 40; nth++) writer.append([eventEntry(nth)]);
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "removed", from: 8, to: 10 }] });
});

test("a journal that was deleted is the longest cut, also after a new one was begun", async () => {
  const folder = written();
  for (const end of ["", "-wal", "-shm"]) rmSync(`${folder.path}${end}`, { force: true });
  expect(await folder.verify()).toEqual({
    intact: 0,
    others: [],
    unknown: 0,
    findings: [{ kind: "cut", from: 1, to: 10 }],
  });
  folder.writer().append([eventEntry(11)]);
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "removed", from: 1, to: 10 }] });
});

test("a record that somebody added without the key is found", async () => {
  const folder = written(3);
  folder.tamper((db) => db.exec(COPY_OF_LAST.replace("%n", "4")));
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "altered", id: 99, n: 4 }] });
});

test.each([
  ["before the first", 0],
  ["far beyond the last", Number.MAX_SAFE_INTEGER],
])("a record that somebody added %s is found, and what is written goes on where it was", async (_, n) => {
  const folder = written(3);
  folder.tamper((db) => db.exec(`${COPY_OF_LAST.replace("%n", String(n))}`));
  folder.writer().append([eventEntry(4)]);
  folder.writer().append([eventEntry(5)]);
  expect(await folder.verify()).toMatchObject({ intact: 5, findings: [{ kind: "altered", id: 99, n }] });
  expect(folder.rows("SELECT n FROM records WHERE id <> 99 ORDER BY n").map((row) => JSON.stringify(row))).toEqual(
    [1, 2, 3, 4, 5].map((kept) => `{"n":${kept}}`),
  );
});

test("a number that somebody has taken is left to them, and everything else holds", async () => {
  const folder = written(3);
  folder.tamper((db) => db.exec(COPY_OF_LAST.replace("%n", "4")));
  folder.writer().append([eventEntry(4), eventEntry(5)]);
  expect(await folder.verify()).toMatchObject({ intact: 5, findings: [{ kind: "altered", id: 99, n: 4 }] });
  folder.tamper((db) => db.exec("DELETE FROM records WHERE id = 99"));
  expect(await folder.verify()).toMatchObject({ intact: 5, findings: [] });
});

test("after records that are gone, the next one cannot be changed either", async () => {
  const folder = written();
  folder.tamper((db) => {
    db.exec("DELETE FROM records WHERE n IN (4, 5)");
    db.exec("UPDATE records SET outcome = 'allow', body = '{}' WHERE n = 6");
  });
  expect(await folder.verify()).toMatchObject({
    intact: 7,
    findings: [
      { kind: "altered", id: 6, n: 6 },
      { kind: "removed", from: 4, to: 5 },
    ],
  });
});

test("records that stand in another order than they were written are found", async () => {
  const folder = written(6);
  folder.tamper((db) => db.exec("UPDATE records SET id = id + 100 WHERE n <= 2"));
  const { findings } = await folder.verify();
  expect(findings.map(({ kind }) => kind)).toEqual(["moved", "moved", "moved", "moved"]);
});

test("an old copy that was put in place and written on is found", async () => {
  const folder = written(5);
  const copy = join(folder.dir, "copy.db");
  folder.tamper((db) => db.exec(`VACUUM INTO '${copy}'`));
  folder.writer().append([eventEntry(6), eventEntry(7)]);
  for (const end of ["", "-wal", "-shm"]) rmSync(`${folder.path}${end}`, { force: true });
  cpSync(copy, folder.path);
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "cut", from: 6, to: 7 }] });
  folder.writer().append([eventEntry(8)]);
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "removed", from: 6, to: 7 }] });
});

test("a checkpoint that somebody made without the key is found", async () => {
  const folder = written();
  folder.tamper((db) => {
    db.exec(`INSERT INTO checkpoints SELECT chain, n, mac, at, 'retention', mac FROM records WHERE n = 4`);
    db.exec("DELETE FROM records WHERE n <= 4");
  });
  expect(await folder.verify()).toMatchObject({
    findings: [
      { kind: "forgedCheckpoint", n: 4 },
      { kind: "removed", from: 1, to: 4 },
    ],
  });
});

test("what retention removed is signed for, and the rest is intact", async () => {
  const folder = written(1_199);
  const writer = folder.writer({ ...OPTIONS, maxAgeMs: 3_600_000 });
  used(writer, 2);
  for (let nth = 1_202; nth <= 2_000; nth++) writer.append([eventEntry(nth, { at: Date.now() })]);
  while (writer.prune()) {
    // one piece after the other
  }
  expect(folder.rows("SELECT count(*) AS left, min(n) AS first FROM records")).toMatchObject([
    { left: 800, first: 1_201 }, // a day is the least that is kept
  ]);
  const pruned = { to: 1_200, at: expect.any(Number), why: "retention" };
  expect(await folder.verify()).toEqual({ intact: 800, others: [], unknown: 0, findings: [], pruned });
  writer.append([eventEntry(2_001)]);
  expect(await folder.verify()).toEqual({ intact: 801, others: [], unknown: 0, findings: [], pruned });
});

test("counts of all kinds are removed by the same days, long after the records", () => {
  const folder = new JournalFolder();
  const writer = folder.writer({ ...OPTIONS, maxAgeMs: 1e15 });
  const entries = Array.from({ length: 405 }, (_, nth) => {
    const plain = event(nth, { at: 1_700_000_000_000 + nth * 86_400_000 });
    return { ...plain, runs: [runIn(plain, { usageRecorded: true })] };
  });
  writer.append(entries);
  writer.prune();
  const first = Math.floor(1_700_000_000_000 / 86_400_000) + 4;
  for (const table of ["hook_days", "hook_latency", "usage_days", "event_days"]) {
    const [days] = folder.rows(`SELECT min(day) AS first, count(*) AS days FROM ${table}`);
    expect({ table, days }).toMatchObject({ table, days: { first, days: 401 } });
  }
});

test("after everything of a time was removed by age, the chain goes on where it was", async () => {
  const folder = written(10);
  const writer = folder.writer({ ...OPTIONS, maxAgeMs: 1_000 });
  used(writer, 1);
  writer.append([eventEntry(12, { at: Date.now() })]);
  expect(writer.prune()).toBe(true);
  writer.append([eventEntry(13)]);
  const pruned = { to: 10, at: expect.any(Number), why: "retention" };
  expect(await folder.verify()).toEqual({ intact: 3, others: [], unknown: 0, findings: [], pruned });
});

test("nothing is removed by age before as many days were used as records are kept", async () => {
  const folder = written(10);
  const writer = folder.writer();
  used(writer, 29);
  writer.append([eventEntry(1, { at: Date.now() + 400 * DAY_MS })]);
  expect(writer.prune()).toBe(false);
  used(writer, 1);
  expect(await folder.verify()).toMatchObject({ intact: 41, findings: [] });
});

test("a journal that has grown too large loses its oldest records, and the file does not grow for ever", async () => {
  const folder = new JournalFolder();
  const limits = { ...OPTIONS, maxBytes: 1024 ** 2 };
  const writer = folder.writer(limits);
  const input = { content: "x".repeat(2_000) };
  for (let nth = 1; nth <= 2_000; nth += 100) {
    writer.append(Array.from({ length: 100 }, (_, more) => eventEntry(nth + more, { input, at: Date.now() })));
  }
  for (const pruner = folder.writer(limits); pruner.prune(); ) {
    // one piece after the other
  }
  const [kept] = folder.rows("SELECT count(*) AS records, max(n) AS last FROM records");
  expect(kept).toMatchObject({ last: 2_000 });
  expect(await folder.verify()).toMatchObject({ unknown: 0, findings: [] });
  expect(JSON.stringify(kept)).not.toContain('"records":2000');
});

test("who makes a record look old does not get the others removed", async () => {
  const folder = new JournalFolder();
  const writer = folder.writer();
  for (let nth = 1; nth <= 10; nth++) writer.append([eventEntry(nth, { at: Date.now() })]);
  folder.tamper((db) => db.exec("UPDATE records SET at = 0 WHERE n = 4"));
  expect(folder.writer().prune()).toBe(false);
  expect(await folder.verify()).toMatchObject({ intact: 9, findings: [{ kind: "altered", id: 4, n: 4 }] });
});

test("what a wrong clock has dated takes nothing along, and keeps nothing", async () => {
  const folder = new JournalFolder();
  const [now, old, future] = [Date.now(), 1_000, Date.now() + 9e10];
  const writer = folder.writer();
  for (const at of [old, future, old]) writer.append([eventEntry(1, { at })]);
  used(writer, 40);
  for (const at of [now, old, now]) writer.append([eventEntry(1, { at })]);
  while (writer.prune()) {
    // one piece after the other
  }
  const left = folder.rows(`SELECT n FROM records WHERE at NOT BETWEEN ${now - 31 * DAY_MS} AND ${now - 1}`);
  expect(left).toMatchObject([{ n: 44 }, { n: 45 }, { n: 46 }]);
  expect(await folder.verify()).toMatchObject({ findings: [] });
});

test("who fills the file does not get our records removed", async () => {
  const folder = written(10);
  folder.tamper((db) => db.exec("INSERT INTO checkpoints VALUES ('filler', 1, zeroblob(2000000), 1, '', x'')"));
  expect(folder.writer({ ...OPTIONS, maxAgeMs: 1e15, maxBytes: 1024 ** 2 }).prune()).toBe(false);
  expect(await folder.verify()).toMatchObject({ intact: 10, findings: [] });
});

test("what another user wrote cannot be checked here, and is said to be so", async () => {
  const folder = written(3);
  const otherHome = join(folder.dir, "other-home");
  mkdirSync(otherHome);
  const stateDir = dirname(dirname(folder.path));
  const other = { ...folder.place, homeDir: otherHome, stateDir };
  folder.writer(OPTIONS, other).append([eventEntry(4), eventEntry(5)]);
  expect(await folder.verify()).toEqual({ intact: 3, others: [], unknown: 2, findings: [] });
  expect(await verifyJournal(other)).toEqual({
    intact: 2,
    others: [],
    unknown: 3,
    findings: [],
  });
});

test("a journal that was copied to another project keeps what came with it apart from what is written there", async () => {
  const folder = written(3);
  const copy = join(folder.dir, "copy");
  const place = { ...folder.place, projectRoot: copy };
  mkdirSync(copy);
  cpSync(dirname(folder.path), statePath(place), { recursive: true });
  folder.writer().append([eventEntry(4)]);
  folder.writer(OPTIONS, place).append([eventEntry(5)]);
  expect(await verifyJournal(place)).toEqual({
    intact: 1,
    others: [{ project: folder.projectRoot, intact: 3 }],
    unknown: 0,
    findings: [],
  });
  expect(await folder.verify()).toEqual({ intact: 4, others: [], unknown: 0, findings: [] });
});

const DAY_MS = 86_400_000;

/** An event on each of the last days before today: only days that were used make records old. */
function used(writer: JournalWriter, days: number): void {
  for (let ago = days; ago >= 1; ago--) writer.append([eventEntry(ago, { at: Date.now() - ago * DAY_MS })]);
}
