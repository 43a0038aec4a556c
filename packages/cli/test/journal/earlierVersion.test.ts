import { createHash } from "node:crypto";
import SqlDatabase from "libsql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Patient, runEntry } from "../doctor/patient.ts";
import { hooksOn, PROJECT_FILE } from "../support/machine.ts";
import { event, RecordedMachine, runIn } from "./queriesJournal.ts";

const TRACKER = { name: "tracker", source: "project", type: "command" };
const HOOKS = {
  [PROJECT_FILE]: hooksOn("PostAbilityCall", [
    { name: "tracker", blocking: true, command: `echo '{"usage_recorded": true}'` },
  ]),
};
/** Of the statements that made a journal before usages were counted. */
const FIRST_FORM = "b34eb6f7923a268c800b1e5c0d79ab3c8d37f270a702662a0400024976379e83";
/** Records and signatures have not changed since. */
const DOWNGRADE = "DROP TABLE usage_days; PRAGMA user_version = 1";

/** A journal as the first version made it, with three runs of the tracker. */
function earlierJournal(): RecordedMachine {
  const machine = new RecordedMachine(HOOKS);
  machine.append(...[1, 2, 3].map(tracked));
  machine.close();
  machine.tamper((db) => db.exec(DOWNGRADE));
  return machine;
}

function tracked(nth: number) {
  const plain = event(nth, { event: "PostAbilityCall" });
  return { ...plain, runs: [runIn(plain, { hook: TRACKER })] };
}

async function statsOf(machine: RecordedMachine) {
  const { code, stdout, stderr } = await machine.run(["stats", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const counts = z.object({ hooks: z.array(z.object({ hook: z.string(), runs: z.number(), usages: z.number() })) });
  return counts.parse(JSON.parse(stdout)).hooks;
}

const verified = async (machine: RecordedMachine) => (await machine.run(["log", "--verify"])).stdout;

function versionOf(machine: RecordedMachine): unknown {
  const db = new SqlDatabase(machine.journal, { readonly: true });
  try {
    return z.object({ user_version: z.number() }).parse(db.prepare("PRAGMA user_version").get()).user_version;
  } finally {
    db.close();
  }
}

describe("a journal of the first version", () => {
  test("has the form that its program gave it", () => {
    const machine = earlierJournal();
    let form = "";
    machine.tamper((db) => {
      const rows = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").all();
      const statements = z.array(z.object({ sql: z.string() })).parse(rows);
      form = statements.map(({ sql }) => sql).join(";\n");
    });
    expect(createHash("sha256").update(form).digest("hex")).toBe(FIRST_FORM);
  });

  test("is read, counted, verified and examined without being changed", async () => {
    const machine = earlierJournal();
    expect(await statsOf(machine)).toEqual([{ hook: "tracker", runs: 3, usages: 0 }]);
    expect(await verified(machine)).toBe("✓ 6 records intact, none missing\n");
    const { sections } = JSON.parse((await machine.run(["doctor", "--json"])).stdout);
    expect(sections.stores).toContainEqual(expect.objectContaining({ what: "intact, readable and writable" }));
    expect(versionOf(machine)).toBe(1);
  });

  test("keeps its records and counts when it is written to, and counts usages from then on", async () => {
    const machine = earlierJournal();
    await machine.run(["trust", "--yes"]);
    expect((await machine.cli(["fire", "PostAbilityCall"])).stderr).toBe("");
    expect(versionOf(machine)).toBe(2);
    expect(await statsOf(machine)).toEqual([{ hook: "tracker", runs: 4, usages: 1 }]);
    expect(await verified(machine)).toMatch(/^✓ \d+ records intact, none missing\n$/);
  });

  test("is upgraded once by programs that write to it at the same time", async () => {
    const machine = earlierJournal();
    await machine.run(["trust", "--yes"]);
    const ended = await Promise.all([1, 2, 3, 4].map(() => machine.cli(["fire", "PostAbilityCall"])));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, ""]));
    expect(await statsOf(machine)).toEqual([{ hook: "tracker", runs: 7, usages: 4 }]);
    expect(await verified(machine)).toMatch(/^✓ \d+ records intact, none missing\n$/);
  });

  test("is refused if it has code in it", async () => {
    const machine = earlierJournal();
    machine.tamper((db) => db.exec("CREATE TRIGGER t AFTER INSERT ON records BEGIN SELECT 1; END"));
    const { code, stderr } = await machine.run(["stats"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("it has triggers or views") });
    expect(() => machine.append(tracked(4))).toThrow("it has triggers or views");
  });

  test("loses no counts when it is repaired", async () => {
    const patient = await Patient.trusted();
    patient.recordEvents(2);
    patient.record((writer) => writer.append([runEntry(1)]));
    patient.tamper((db) => db.exec(`${DOWNGRADE}; CREATE TABLE filler (a)`));
    const { said } = await patient.doctor("--fix");
    expect(said.repairs).toEqual([{ isDone: true, what: expect.stringMatching(/and 3 records saved$/) }]);
  });
});
