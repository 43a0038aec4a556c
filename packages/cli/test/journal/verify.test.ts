import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyJournal } from "../../src/journal/verifyJournal.ts";
import { eventEntry, JournalFolder, OPTIONS } from "./journalFixtures.ts";

function written(count = 10): JournalFolder {
  const folder = new JournalFolder();
  const writer = folder.writer();
  for (let nth = 1; nth <= count; nth++) writer.append([eventEntry(nth)]);
  return folder;
}

test("a journal that nobody touched is intact", async () => {
  expect(await written().verify()).toEqual({ intact: 10, unknown: 0, findings: [] });
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
  expect(await folder.verify()).toEqual({ intact: 9, unknown: 0, findings: [{ kind: "altered", id: 4, n: 4 }] });
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
  expect(await folder.verify()).toEqual({ intact: 7, unknown: 0, findings: [{ kind: "cut", from: 8, to: 10 }] });
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
  expect(await folder.verify()).toEqual({ intact: 0, unknown: 0, findings: [{ kind: "cut", from: 1, to: 10 }] });
  folder.writer().append([eventEntry(11)]);
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "removed", from: 1, to: 10 }] });
});

test("a record that somebody added without the key is found", async () => {
  const folder = written(3);
  folder.tamper((db) =>
    db.exec(`INSERT INTO records SELECT 99, chain, 4, at, kind, session, turn, event_id, event, subject, hook, outcome,
      duration_us, body, mac FROM records WHERE n = 3`),
  );
  expect(await folder.verify()).toMatchObject({ findings: [{ kind: "altered", id: 99, n: 4 }] });
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
  for (let nth = 1_200; nth <= 2_000; nth++) writer.append([eventEntry(nth, { at: Date.now() })]);
  while (writer.prune()) {
    // one piece after the other
  }
  expect(folder.rows("SELECT count(*) AS left, min(n) AS first FROM records")).toMatchObject([
    { left: 801, first: 1_200 },
  ]);
  expect(await folder.verify()).toEqual({ intact: 801, unknown: 0, findings: [] });
  writer.append([eventEntry(2_001)]);
  expect(await folder.verify()).toEqual({ intact: 802, unknown: 0, findings: [] });
});

test("after everything was removed by age, the chain goes on where it was", async () => {
  const folder = written(10);
  const writer = folder.writer({ ...OPTIONS, maxAgeMs: 1_000 });
  expect(writer.prune()).toBe(true);
  writer.append([eventEntry(11)]);
  expect(await folder.verify()).toEqual({ intact: 1, unknown: 0, findings: [] });
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

test("what another user wrote cannot be checked here, and is said to be so", async () => {
  const folder = written(3);
  folder.writer(OPTIONS, join(folder.dir, "other-home")).append([eventEntry(4), eventEntry(5)]);
  expect(await folder.verify()).toEqual({ intact: 3, unknown: 2, findings: [] });
  expect(await verifyJournal(folder.projectRoot, join(folder.dir, "other-home"))).toEqual({
    intact: 2,
    unknown: 3,
    findings: [],
  });
});

test("a copy of a project keeps what came with it apart from what is written there", async () => {
  const folder = written(3);
  const copy = join(folder.dir, "copy");
  cpSync(folder.projectRoot, copy, { recursive: true });
  folder.writer().append([eventEntry(4)]);
  folder.writer(OPTIONS, folder.homeDir, copy).append([eventEntry(5)]);
  expect(await verifyJournal(copy, folder.homeDir)).toEqual({ intact: 4, unknown: 0, findings: [] });
  expect(await folder.verify()).toEqual({ intact: 4, unknown: 0, findings: [] });
});
