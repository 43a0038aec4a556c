import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import SqlDatabase, { type Database } from "libsql";
import { expect, test } from "vitest";
import { statePath } from "../../../journal/src/state/statePlace.ts";
import { TASKS_SCHEMA } from "../../src/abilities/store/storeSchema.ts";
import { says } from "../support/modelAnswers.ts";
import { GUARD, Patient } from "./patient.ts";

/** The schema of the first version. */
const FIRST_TASKS = TASKS_SCHEMA.replace("    root TEXT NOT NULL,\n", "").replace(", 'lapsed'", "");

function database(path: string, work: (db: Database) => void): void {
  const db = new SqlDatabase(path);
  work(db);
  db.close();
}

/** A project in which an earlier version has worked: records, two tasks, three transcripts. */
async function worked(): Promise<Patient> {
  const patient = await Patient.trusted();
  patient.recordEvents(3);
  patient.tamper((db) => db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all());
  mkdirSync(patient.at(".hookline/sessions"), { recursive: true });
  renameSync(patient.journal, patient.at(".hookline/journal.db"));
  rmSync(patient.inState(""), { recursive: true });
  database(patient.at(".hookline/tasks.db"), (db) => {
    db.exec(FIRST_TASKS);
    const add = db.prepare(
      `INSERT INTO tasks (key, ability_id, ref, input, status, caller, created_at, objection, approval) VALUES (?, 'greet', '{"kind":"ability_id","value":"greet"}', '{}', ?, '{"source":"manual_cli"}', ?, ?, ?)`,
    );
    const asked = { at: "create", code: "ABILITY_REQUIRES_HUMAN", reason: "sure?", signals: [], hooks: ["asker"] };
    add.run(["t-approved00", "created", "1", null, '{"by":"kim","at":"","reason":"","inputHash":"x"}']);
    add.run(["t-waiting000", "awaiting_human", "2", JSON.stringify(asked), null]);
    add.run(["t-done000000", "success", "3", null, null]);
  });
  const line = `${JSON.stringify({ type: "message", content: { role: "user", parts: [{ text: "hello" }] } })}\n`;
  writeFileSync(patient.at(".hookline/sessions/plain.jsonl"), line);
  writeFileSync(join(patient.machine.home, "private"), "mine");
  symlinkSync(join(patient.machine.home, "private"), patient.at(".hookline/sessions/linked.jsonl"));
  linkSync(join(patient.machine.home, "private"), patient.at(".hookline/sessions/second.jsonl"));
  return patient;
}

const digests = (patient: Patient) =>
  ["journal.db", "tasks.db"].map((name) =>
    createHash("sha256")
      .update(readFileSync(patient.at(`.hookline/${name}`)))
      .digest("hex"),
  );

test("files of an earlier version are named once by a session, and told by the doctor", async () => {
  const patient = await worked();
  patient.machine.write({ "answers.jsonl": `${JSON.stringify(says("Hello."))}\n` });
  const model = `replay:${join(patient.machine.dir, "answers.jsonl")}`;
  const run = () => patient.machine.cli(["run", "-p", "x", "--model", model, "--trust-project"]);
  expect((await run()).stderr).toContain("not read, since state is kept in your home folder now");
  expect((await run()).stderr).not.toContain("not read");
  expect((await patient.doctor()).troubles).toContainEqual(
    expect.stringMatching(
      /^stores warning This and 2 more files are from an earlier version or came with the repository/,
    ),
  );
});

test("--fix takes over what is the user's own, and changes nothing in the project", async () => {
  const patient = await worked();
  await patient.fire();
  const before = digests(patient);
  const { said } = await patient.doctor("--fix");
  expect(said.repairs).toEqual([
    { isDone: true, what: "3 records imported; 2 open tasks imported; 1 transcript imported" },
  ]);
  expect(digests(patient)).toEqual(before);
  expect((await patient.machine.cli(["log", "--verify"])).stdout).toMatch(/^✓ \d+ records intact, none missing\n$/);
  const { tasks } = JSON.parse((await patient.machine.cli(["task", "list", "--json"])).stdout);
  expect(tasks).toMatchObject([
    { status: "awaiting_human", reason: "sure?", hooks: ["asker"], runs: 0 },
    { status: "created", runs: 0 },
  ]);
  expect(JSON.stringify(tasks)).not.toMatch(/t-approved00|kim/);
  expect(readdirSync(patient.inState("sessions"))).toEqual(["plain.jsonl"]);
  expect(readFileSync(patient.inState("sessions/plain.jsonl"), "utf8")).toMatch(/^\{"type":"imported",.*\n.*hello/);
  expect((await patient.doctor()).troubles).toEqual([]);
});

test.each<[string, string, RegExp]>([
  ["records that the user's key does not verify", "UPDATE records SET body = '{}'", /^0 records imported/],
  [
    "a journal that has code in it",
    "CREATE TRIGGER t AFTER INSERT ON records BEGIN SELECT 1; END",
    /^no record was imported from .*: it has triggers or views/,
  ],
])("--fix does not take over %s", async (_, sql, what) => {
  const patient = await worked();
  database(patient.at(".hookline/journal.db"), (db) => {
    db.exec(sql);
    db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  });
  expect((await patient.doctor("--fix")).said.repairs).toEqual([{ isDone: true, what: expect.stringMatching(what) }]);
});

test.each([
  ["without a yes", { interactive: true, confirm: async () => false }, "you said no"],
  ["without a person", { interactive: false }, "this needs your confirmation at a terminal"],
])("--fix takes nothing over %s", async (_how, world, why) => {
  const patient = await worked();
  const { stdout } = await patient.machine.run(["doctor", "--fix", "--json"], world);
  expect(JSON.parse(stdout).repairs).toEqual([{ isDone: false, what: expect.stringContaining(why) }]);
  expect(existsSync(patient.inState("journal.db"))).toBe(false);
});

test("a project that was moved is offered its state, and gets it with --fix", async () => {
  const patient = await Patient.trusted({ hooks: [GUARD] });
  await patient.fire();
  const { machine } = patient;
  const moved = join(machine.dir, "moved");
  renameSync(machine.project, moved);
  const doctor = async (...args: string[]) =>
    JSON.parse((await machine.run(["doctor", "--json", ...args], { cwd: moved })).stdout);
  expect(JSON.stringify((await doctor()).sections.stores)).toContain(`This project was at ${machine.project} before`);
  expect((await doctor("--fix")).repairs).toMatchObject([{ isDone: true }]);
  expect(existsSync(patient.inState(""))).toBe(false);
  expect(existsSync(join(statePath({ ...machine.place, projectRoot: moved }), "journal.db"))).toBe(true);
  expect((await machine.run(["log"], { cwd: moved })).stdout).toContain("BeforeTool");
});
