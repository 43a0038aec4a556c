import { existsSync, lstatSync, lutimesSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { Appender } from "../support/appenders.ts";
import { eventEntry, JournalFolder, OPTIONS } from "../support/journalFixtures.ts";

const PROCESSES = 8;
/** As long as a lock is taken for one that is held, and as long as a program that ends waits for the journal. */
const [HELD_MS, ENDING_MS] = [2_000, 3_000];

const KINDS: readonly [kind: string, make: (lock: string) => void][] = [
  ["a folder", (lock) => mkdirSync(lock)],
  ["a folder with something in it", (lock) => mkdirSync(`${lock}/more`, { recursive: true })],
  ["a file", (lock) => writeFileSync(lock, "")],
  ["a link to nothing", (lock) => symlinkSync("nowhere", lock)],
];

function age(lock: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  lutimesSync(lock, then, then);
}

function locked(folder: JournalFolder, make = (lock: string) => mkdirSync(lock)): string {
  const lock = `${folder.path}.lock`;
  mkdirSync(dirname(lock), { recursive: true });
  make(lock);
  return lock;
}

function took(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

test.each(KINDS)("%s that was left where a lock is taken keeps nobody waiting", async (_, make) => {
  const folder = new JournalFolder();
  const lock = locked(folder, make);
  age(lock, HELD_MS + 500);
  expect(took(() => folder.writer().append([eventEntry(1)]))).toBeLessThan(HELD_MS);
  expect(existsSync(lock)).toBe(false);
  expect(await folder.verify()).toMatchObject({ intact: 1, findings: [] });
});

test("a lock from a time to come is nobody's", () => {
  const folder = new JournalFolder();
  age(locked(folder), -3_600_000);
  expect(took(() => folder.writer().append([eventEntry(1)]))).toBeLessThan(HELD_MS);
});

test("a lock that somebody has just taken is waited for, and no longer than a program that ends waits", () => {
  const folder = new JournalFolder();
  locked(folder);
  const ms = took(() => folder.writer().append([eventEntry(1)]));
  expect(ms).toBeGreaterThan(HELD_MS - 500);
  expect(ms).toBeLessThan(ENDING_MS);
});

test("a journal that is made needs no lock", () => {
  const folder = new JournalFolder();
  const writer = folder.writer();
  writer.append([eventEntry(1)]);
  writer.close();
  const lock = locked(folder);
  expect(took(() => folder.writer().append([eventEntry(2)]))).toBeLessThan(HELD_MS - 500);
  expect(lstatSync(lock).isDirectory()).toBe(true);
});

test(`${PROCESSES} programs that find a lock left behind make one journal, and lose nothing`, async () => {
  const folder = new JournalFolder();
  age(locked(folder), HELD_MS + 500);
  const acknowledged: string[] = [];
  const { projectRoot, homeDir } = folder;
  const begin = () => new Appender({ projectRoot, homeDir, options: OPTIONS }, acknowledged);
  const programs = Array.from({ length: PROCESSES }, begin);
  await Promise.all(programs.map((program) => program.append(1, 50)));
  await Promise.all(programs.map((program) => program.end()));
  expect(acknowledged).toHaveLength(PROCESSES * 50);
  expect(folder.rows("SELECT count(*) AS kept FROM records WHERE kind = 'approval'")).toMatchObject([
    { kept: PROCESSES * 50 },
  ]);
  expect(folder.rows("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
  expect(await folder.verify()).toMatchObject({ unknown: 0, findings: [] });
});
