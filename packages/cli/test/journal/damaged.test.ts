import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { lastOutcomes } from "../../../journal/src/queries/lastOutcomes.ts";
import { logItems } from "../../../journal/src/queries/logItems.ts";
import { lastId, newestIds } from "../../../journal/src/queries/logQuery.ts";
import { openJournalReader } from "../../../journal/src/reader/journalReader.ts";
import { event, guarded, RecordedMachine } from "./queriesJournal.ts";

const PAGE_BYTES = 4_096;
/** The first byte of a page that rows of a table are in, and of an index's. */
const LEAF = { table: 0x0d, index: 0x0a } as const;

/** A journal of some records, as it lies on the disk when nobody has it open. */
function recorded(count: number): RecordedMachine {
  const machine = new RecordedMachine();
  const input = { text: "x".repeat(500) };
  machine.append(...Array.from({ length: count }, (_, nth) => event(nth + 1, { input, eventId: `event-${nth + 1}` })));
  machine.tamper((db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  machine.close();
  return machine;
}

/** The pages of one kind that have a text in them, from the beginning of the file. */
function pagesWith(file: string, kind: keyof typeof LEAF, text: string): readonly number[] {
  const bytes = readFileSync(file);
  return Array.from({ length: bytes.length / PAGE_BYTES }, (_, page) => page).filter((page) => {
    const content = bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    return content[0] === LEAF[kind] && content.includes(text);
  });
}

function overwrite(file: string, pages: readonly number[]): void {
  const descriptor = openSync(file, "r+");
  for (const page of pages) writeSync(descriptor, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, page * PAGE_BYTES);
  closeSync(descriptor);
}

async function shown({ place }: RecordedMachine) {
  const reader = await openJournalReader(place);
  if (!reader) throw new Error("There is no journal");
  const items = [...logItems(reader, newestIds(reader, {}, { upTo: lastId(reader) }, 1_000))].flat();
  const ids = items.map(({ record }) => record.id);
  const { damage } = reader;
  reader.close();
  return { ids, damage };
}

/** A repair takes a person at a terminal. */
async function repair(machine: RecordedMachine): Promise<void> {
  const { stdout } = await machine.run(["doctor", "--fix"], {
    env: machine.env(),
    interactive: true,
    confirm: async () => true,
  });
  expect(stdout).toMatch(/the journal was moved to journal\.db\.damaged-.*, and \d+ records saved/);
}

test.each([
  ["the first page", (pages: readonly number[]) => pages.slice(0, 1)],
  ["a page in the middle", (pages: readonly number[]) => pages.slice(2, 3)],
  ["the last page", (pages: readonly number[]) => pages.slice(-1)],
  ["two pages apart from each other", (pages: readonly number[]) => [pages[1] ?? 0, pages[3] ?? 0]],
])(
  "of a short journal that lost %s, the damage is told with the way out, which saves everything else, in order",
  async (_, choose) => {
    const machine = recorded(30);
    const pages = pagesWith(machine.journal, "table", '"text":"xxx');
    expect(pages.length).toBeGreaterThan(4);
    const lost = choose(pages);
    overwrite(machine.journal, lost);
    const bytes = readFileSync(machine.journal);
    const { ids: before, damage } = await shown(machine);
    expect(before).toEqual(before.toSorted((one, other) => one - other));
    expect(damage).toMatchObject({ code: "JOURNAL_UNUSABLE" });
    const { code, stdout, stderr } = await machine.run(["log"]);
    expect({ code, lines: stdout.split("\n").length - 1 }).toEqual({ code: 1, lines: before.length });
    expect(stderr).toContain("hookline doctor --fix");
    expect(readFileSync(machine.journal).equals(bytes)).toBe(true);
    await repair(machine);
    const { ids, damage: left } = await shown(machine);
    // Not more than a page holds.
    expect(ids.length).toBeGreaterThanOrEqual(30 - 7 * lost.length);
    expect(ids.length).toBeLessThan(30);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(left).toBeUndefined();
  },
);

test("of a long journal, the records from the damage to the newest are shown, in order, and then the damage", async () => {
  const machine = recorded(1_000);
  overwrite(machine.journal, pagesWith(machine.journal, "table", '"text":"xxx').slice(40, 41));
  const { ids, damage } = await shown(machine);
  expect(ids.length).toBeGreaterThan(500);
  expect(ids.length).toBeLessThan(900);
  expect(ids).toEqual(Array.from(ids, (_, nth) => 1_000 - ids.length + nth + 1));
  expect(damage).toMatchObject({ code: "JOURNAL_UNUSABLE" });
  const { code, stdout, stderr } = await machine.run(["log", "--limit", "1000"]);
  expect({ code, lines: stdout.split("\n").length - 1 }).toEqual({ code: 1, lines: ids.length });
  expect(stderr).toContain("hookline doctor --fix");
});

test("`log --verify` of a damaged journal verifies nothing, and names the damage and the way out", async () => {
  const machine = recorded(30);
  overwrite(machine.journal, pagesWith(machine.journal, "table", '"text":"xxx').slice(2, 3));
  const { code, stderr } = await machine.run(["log", "--verify"]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/journal is damaged.*\n.*hookline doctor --fix/)]);
});

test("of a journal with a damaged index, every record is shown", async () => {
  const machine = recorded(300);
  overwrite(machine.journal, pagesWith(machine.journal, "index", "event"));
  const reader = await openJournalReader(machine.place);
  if (!reader) throw new Error("There is no journal");
  const ids = newestIds(reader, { event: "BeforeTool" }, { upTo: lastId(reader) }, 1_000);
  expect([...logItems(reader, ids)].flat()).toHaveLength(300);
  expect(reader.damage).toBeDefined();
  reader.close();
});

test("of damaged counts, --fix saves those before and after the damage", async () => {
  const machine = new RecordedMachine();
  const names = Array.from({ length: 200 }, (_, nth) => `hook-${String(nth).padStart(3, "0")}-${"x".repeat(60)}`);
  machine.append(
    ...names.map((name, nth) => {
      const entry = guarded(nth, "allow");
      const runs = entry.runs.map((run) => ({ ...run, hook: { ...run.hook, name } }));
      return { ...entry, runs };
    }),
  );
  machine.tamper((db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  machine.close();
  // Its rows are the only ones with the type of a hook right behind the source; other tables have numbers there.
  const pages = pagesWith(machine.journal, "index", "projectcommandBeforeTool");
  expect(pages.length).toBeGreaterThan(2);
  overwrite(machine.journal, [pages[Math.floor(pages.length / 2)] ?? 0]);
  const damaged = await openJournalReader(machine.place);
  if (!damaged) throw new Error("There is no journal");
  lastOutcomes(damaged);
  expect(damaged.damage).toMatchObject({ code: "JOURNAL_UNUSABLE" });
  damaged.close();
  await repair(machine);
  const reader = await openJournalReader(machine.place);
  if (!reader) throw new Error("There is no journal");
  const read = lastOutcomes(reader).map(({ hook }) => hook);
  reader.close();
  expect(read).toEqual(expect.arrayContaining([names[0], names[199]]));
  expect(read.length).toBeGreaterThan(100);
  expect(read.length).toBeLessThan(200);
});

test("tables without the version that is made with them are damage, and not a journal that is being made", async () => {
  const machine = recorded(3);
  machine.tamper((db) => db.exec("PRAGMA user_version = 0"));
  const { code, stdout, stderr } = await machine.run(["log"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/The journal is damaged \(it has tables but no version\).*\n.*hookline doctor --fix/);
});
