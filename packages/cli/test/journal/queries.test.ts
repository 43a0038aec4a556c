import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { logItems } from "../../../journal/src/queries/logItems.ts";
import { lastId, newestIds } from "../../../journal/src/queries/logQuery.ts";
import { openJournalReader } from "../../../journal/src/reader/journalReader.ts";
import { bucketOf } from "../../../journal/src/records/latencyBuckets.ts";
import { statePath } from "../../../journal/src/state/statePlace.ts";
import { readSince } from "../../src/journal/since.ts";
import { columnsOf, histogram } from "../../src/journal/views/histogram.ts";
import { ago } from "../../src/journal/views/times.ts";
import { endOf } from "../support/machine.ts";
import { sharedProgram } from "../support/sharedProgram.ts";
import { event, guarded, RecordedMachine } from "./queriesJournal.ts";

const NOW = Date.parse("2025-11-16T09:30:00.000Z");
const NOBODY = 65_534;

test.each([
  ["90s", NOW - 90_000],
  ["10m", NOW - 600_000],
  ["2h", NOW - 7_200_000],
  ["3d", NOW - 3 * 86_400_000],
  ["today", new Date(NOW).setHours(0, 0, 0, 0)],
  ["2025-11-03", new Date(2025, 10, 3).getTime()],
  ["2025-11-03 09:30", new Date(2025, 10, 3, 9, 30).getTime()],
  ["2025-11-03T09:30:15", new Date(2025, 10, 3, 9, 30, 15).getTime()],
  ["2025-11-03T09:30Z", Date.parse("2025-11-03T09:30:00Z")],
  ["2025-11-03T09:30:00+02:00", Date.parse("2025-11-03T07:30:00Z")],
])("--since %s is understood", (text, at) => {
  expect(readSince(text, NOW)).toBe(at);
});

test.each(["", "soon", "10", "-1d", "2025-13-01", "2025-11-03T25:00", "1; DROP TABLE records", "toString"])(
  "--since %j is refused",
  (text) => {
    expect(() => readSince(text, NOW)).toThrow(/--since must be like/);
  },
);

test.each([
  [-5_000, "now"],
  [999, "now"],
  [5_000, "5 s ago"],
  [180_000, "3 min ago"],
  [47 * 3_600_000, "47 h ago"],
  [48 * 3_600_000, "2 d ago"],
])("%i ms back is %s", (ms, text) => {
  expect(ago(NOW - ms, NOW)).toBe(text);
});

test("a histogram has a column for each threefold, and one run is seen beside a thousand", () => {
  const latency = new Map([
    [bucketOf(80), 1_000],
    [bucketOf(900), 1],
    [bucketOf(60_000_000), 500],
  ]);
  expect(columnsOf(latency)).toEqual([1_000, 0, 1, 0, 0, 0, 0, 0, 0, 0, 500]);
  expect(histogram(latency, [..."▁▂▃▄▅▆▇█"])).toBe("█ ▁       ▄");
});

describe("a journal is opened for reading:", () => {
  test("where there is none, or an empty file that somebody is about to fill, there is none", async () => {
    const machine = new RecordedMachine();
    expect(await openJournalReader(machine.place)).toBeUndefined();
    machine.write({ [`${machine.state}/journal.db`]: "" });
    expect(await openJournalReader(machine.place)).toBeUndefined();
  });

  test.each<[string, RegExp, (machine: RecordedMachine) => void]>([
    ["no database", /not a journal, or is damaged/, ({ journal }) => writeFileSync(journal, "rubbish".repeat(1_000))],
    ["a folder", /not a regular file/, ({ journal }) => mkdirSync(journal)],
    [
      "of a newer hookline",
      /newer hookline \(schema 99\)/,
      (one) => one.tamper((db) => db.exec("PRAGMA user_version = 99")),
    ],
    [
      // It would never end.
      "with a view for a table",
      /the journal is damaged \(the table records is missing\)/i,
      (one) =>
        one.tamper((db) =>
          db.exec(`
            PRAGMA user_version = 1;
            CREATE VIEW hook_last AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`),
        ),
    ],
  ])("%s, it is JOURNAL_UNUSABLE, and says so", async (_, what, spoil) => {
    const machine = new RecordedMachine();
    mkdirSync(dirname(machine.journal), { recursive: true });
    spoil(machine);
    await expect(openJournalReader(machine.place)).rejects.toMatchObject({
      code: "JOURNAL_UNUSABLE",
      where: { file: machine.journal },
      what: expect.stringMatching(what),
    });
  });

  test("while another program writes, what is committed is read, and the writer is not kept waiting", async () => {
    const machine = new RecordedMachine().append(event(1));
    const reader = await openJournalReader(machine.place);
    if (!reader) throw new Error("There is no journal");
    expect(lastId(reader)).toBe(1);
    machine.append(event(2));
    expect(lastId(reader)).toBe(2);
    reader.close();
  });

  test("a record whose body is rubbish is read as far as its columns go", async () => {
    const machine = new RecordedMachine().append(guarded(1, "block"));
    machine.tamper((db) => db.exec("UPDATE records SET body = '{' WHERE kind = 'event'"));
    const { code, stdout } = await machine.run(["log"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/BeforeTool {2}write_file {2}✗ block .*\(its contents cannot be read\)/);
  });

  test("of a damaged one, what can be read is read, and the rest is said to be damaged", async () => {
    const machine = new RecordedMachine();
    const input = { text: "x".repeat(500) };
    machine.append(...Array.from({ length: 2_000 }, (_, nth) => event(nth, { input, eventId: `${nth}` })));
    machine.tamper((db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    machine.close();
    const bytes = readFileSync(machine.journal);
    bytes.fill(0x5a, Math.floor(bytes.length / 8_192) * 4_096, Math.floor(bytes.length / 8_192) * 4_096 + 16_384);
    writeFileSync(machine.journal, bytes);
    const reader = await openJournalReader(machine.place);
    if (!reader) throw new Error("There is no journal");
    const read = [...logItems(reader, newestIds(reader, {}, { upTo: 2_000 }, 2_000))].flat();
    expect(read.length).toBeGreaterThan(100);
    expect(read.length).toBeLessThan(2_000);
    expect(read.at(-1)?.record.eventId).toBe("1999");
    expect(reader.damage).toMatchObject({ code: "JOURNAL_UNUSABLE", what: expect.stringContaining("damaged") });
    reader.close();
    const { code, stdout, stderr } = await machine.cli(["log", "--limit", "2000"]);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n")).toHaveLength(read.length);
    expect(stderr).toMatch(/✗ .*journal\.db: The journal is damaged .*\n.*hookline doctor/);
  });

  test.each([
    ["whole", []],
    ["with its newest records beside it, which are missing then", ["-wal"]],
  ])("in a folder where nobody may write, %s", async (_, beside) => {
    const machine = new RecordedMachine().append(event(1, { event: "SessionStart", subject: "startup" }));
    machine.tamper((db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    const [before, path] = [readFileSync(machine.journal), machine.journal];
    machine.append(event(2));
    const wal = readFileSync(`${path}-wal`);
    machine.close();
    // Only the files themselves: what readers share with writers is not there.
    machine.write({ "project/copy/.git/here": "" });
    const copy = statePath({ ...machine.place, projectRoot: `${machine.project}/copy` });
    mkdirSync(copy);
    writeFileSync(`${copy}/journal.db`, before);
    for (const end of beside) writeFileSync(`${copy}/journal.db${end}`, wal);
    // Rights mean nothing to the superuser, who therefore does it as somebody else.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      for (const open of [machine.dir, machine.project]) chmodSync(open, 0o755);
      execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, machine.home]);
    }
    chmodSync(copy, 0o500);
    const child = spawn(process.execPath, [sharedProgram(), "log"], {
      cwd: `${machine.project}/copy`,
      env: machine.env(),
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    const { code, stdout, stderr } = await endOf(child);
    chmodSync(copy, 0o700);
    expect({ code, lines: stdout.trimEnd().split("\n").length }).toEqual({ code: 0, lines: 1 });
    expect(stdout).toContain("SessionStart");
    expect(stderr).toMatch(beside.length === 0 ? /^$/ : /its newest records may be missing/);
  });
});
