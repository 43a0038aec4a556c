import { existsSync, lutimesSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifyJournal } from "../../../journal/src/reader/verifyJournal.ts";
import { draftOf } from "../../../journal/src/state/draft.ts";
import { notices, Patient } from "./patient.ts";

async function recorded(count: number): Promise<Patient> {
  const patient = await Patient.trusted();
  patient.recordEvents(count);
  return patient;
}

const keysOf = ({ machine }: Patient) => join(machine.home, ".hookline/journals.db");

function nextOf({ said }: Awaited<ReturnType<Patient["doctor"]>>): string | undefined {
  return said.sections.stores?.find(({ severity }) => severity !== "ok")?.next;
}

describe("a lock that was left behind is told, whatever kind of file it is, and removed by --fix:", () => {
  test.each<[string, (lock: string) => void]>([
    ["a folder", (lock) => mkdirSync(lock)],
    ["a file", (lock) => writeFileSync(lock, "")],
    ["a link to nothing", (lock) => symlinkSync("nowhere", lock)],
  ])("%s", async (_, make) => {
    const patient = await recorded(2);
    const lock = `${patient.journal}.lock`;
    make(lock);
    const then = new Date(Date.now() - 5_000);
    lutimesSync(lock, then, then);
    expect((await patient.doctor()).troubles).toEqual(["stores warning A killed program left its lock behind."]);
    const { code, said } = await patient.doctor("--fix");
    expect([code, said.repairs]).toEqual([0, [{ isDone: true, what: "journal.db.lock was removed" }]]);
    expect(readdirSync(patient.inState("")).filter((name) => name.includes("lock"))).toEqual([]);
  });
});

test("an unfinished database that a killed program left behind is told, and removed by --fix", async () => {
  const patient = await recorded(2);
  const draft = draftOf(patient.journal);
  writeFileSync(draft, "half");
  expect((await patient.doctor()).troubles).toEqual([]); // a program may be at work on it
  const then = new Date(Date.now() - 120_000);
  lutimesSync(draft, then, then);
  expect((await patient.doctor()).troubles).toEqual([
    "stores warning A killed program left its unfinished database behind.",
  ]);
  const { code, said } = await patient.doctor("--fix");
  expect([code, said.repairs]).toEqual([0, [{ isDone: true, what: `${basename(draft)} was removed` }]]);
  expect(existsSync(draft)).toBe(false);
});

describe("a journal of another form is damaged, and --fix does what everybody promises:", () => {
  test.each([
    ["its version is gone", "PRAGMA user_version = 0", "it has tables but no version", 6],
    ["a table is gone", "DROP TABLE hook_days", "the table hook_days is missing", 6],
    // What was signed without it cannot be told from what was made up.
    [
      "a column has another name",
      "ALTER TABLE records RENAME COLUMN mac TO mak",
      "the table records is not as hookline creates it",
      0,
    ],
    [
      "it has code in it",
      "CREATE TRIGGER t AFTER INSERT ON records BEGIN SELECT 1; END",
      "it has triggers or views",
      6,
    ],
    [
      "it has an index over an expression",
      "CREATE INDEX slow ON records ((length(body)))",
      "the index slow is not as hookline creates it",
      6,
    ],
    ["it has a table of somebody else", "CREATE TABLE filler (a)", "the table filler is not as hookline creates it", 6],
  ])("%s", async (_, sql, why, saved) => {
    const patient = await recorded(6);
    patient.tamper((db) => db.exec(sql));
    expect(notices((await patient.fire()).stderr)).toEqual([expect.stringContaining("The journal is not written")]);
    expect((await patient.doctor()).troubles).toEqual([`stores error the journal is damaged (${why}).`]);
    const { said } = await patient.doctor("--fix");
    expect(said.repairs).toEqual([{ isDone: true, what: expect.stringContaining(`and ${saved} records saved`) }]);
    expect(notices((await patient.fire()).stderr)).toEqual([]);
    const { troubles } = await patient.doctor();
    expect(troubles).toEqual(saved === 0 ? ["stores error Records 1 to 6 were removed."] : []);
  });
});

test("two repairs at once, of which one comes too late, lose nothing that the other saved", async () => {
  const patient = await recorded(6);
  patient.tamper((db) => db.exec("CREATE TABLE filler (a)"));
  const repairs = await Promise.all([patient.doctor("--fix"), patient.doctor("--fix")]);
  expect(repairs.some(({ said }) => said.repairs.some(({ isDone }) => isDone))).toBe(true);
  expect(notices((await patient.fire()).stderr)).toEqual([]);
  expect((await patient.doctor()).troubles).toEqual([]);
  const { intact, findings } = await verifyJournal(patient.machine.place);
  expect([intact >= 7, findings]).toEqual([true, []]);
});

describe("the journal key store has a way out of its own:", () => {
  test.each<[string, (patient: Patient) => void, string, number]>([
    [
      "rubbish",
      (patient) => {
        // Another file, not the same one: a connection of this process that is not quite closed yet may still write to that.
        for (const end of ["", "-wal", "-shm"]) rmSync(`${keysOf(patient)}${end}`, { force: true });
        writeFileSync(keysOf(patient), "rubbish".repeat(1_000), { mode: 0o600 });
      },
      "file is not a database",
      0,
    ],
    [
      "without its table",
      (patient) => patient.tamper((db) => db.exec("DROP TABLE heads"), keysOf(patient)),
      "the table heads is missing",
      0,
    ],
    [
      "without its version",
      (patient) => patient.tamper((db) => db.exec("PRAGMA user_version = 0"), keysOf(patient)),
      "it has tables but no version",
      1,
    ],
  ])("%s", async (_, spoil, why, saved) => {
    const patient = await recorded(6);
    spoil(patient);
    const { stderr } = await patient.fire();
    expect(notices(stderr)).toEqual([expect.stringMatching(/journals\.db.*can no longer be verified/)]);
    const verified = await patient.machine.cli(["log", "--verify"]);
    expect([verified.code, verified.stderr]).toEqual([1, expect.stringMatching(/journals\.db: .*key store/)]);
    const before = await patient.doctor();
    expect(before.troubles).toEqual([`stores error the journal key store is damaged (${why}).`]);
    expect(nextOf(before)).toMatch(/from a backup.*doctor --fix.*can no longer be verified/);
    const { said, troubles } = await patient.doctor("--fix");
    expect(said.repairs).toEqual([
      {
        isDone: true,
        what: expect.stringMatching(
          new RegExp(`moved to journals\\.db\\.damaged-.*, and ${saved === 1 ? "1 key" : "0 keys"} saved`),
        ),
      },
    ]);
    expect(troubles).toEqual(
      saved === 1 ? [] : [expect.stringContaining("The journal cannot be verified: you have no key for its 6 records")],
    );
    expect(existsSync(patient.journal)).toBe(true);
    expect(notices((await patient.fire()).stderr)).toEqual([]);
  });

  test("gone altogether, that nothing can be verified is told", async () => {
    const patient = await recorded(6);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${keysOf(patient)}${end}`, { force: true });
    const found = await patient.doctor();
    expect([found.code, found.troubles]).toEqual([
      1,
      ["stores warning The journal cannot be verified: you have no key for its 6 records."],
    ]);
    expect(nextOf(found)).toMatch(/restore it from a backup/);
    expect(existsSync(keysOf(patient))).toBe(false);
  });
});
