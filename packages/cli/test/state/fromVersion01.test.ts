import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import SqlDatabase from "libsql";
import { expect, test } from "vitest";
import { Machine } from "../support/machine.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/version-0.1/", import.meta.url));
/** Where hookline 0.1 wrote the files of the fixture. */
const OLD_ROOT = "/tmp/kim/project";
const NOT_READ =
  /^! .*journal\.db, .*tasks\.db, .*sessions: not read, since state is kept in your home folder now\. .*/;

/** A machine as hookline 0.1 left it: settings, trust, a journal, a task that was approved and one that was not, a transcript. */
function leftBy01(): Machine {
  const machine = new Machine();
  const given = (name: string) => readFileSync(join(FIXTURE, name), "utf8").replaceAll(OLD_ROOT, machine.project);
  for (const folder of ["home", "project"])
    cpSync(join(FIXTURE, folder), join(machine.dir, folder), { recursive: true });
  const trustFile = createHash("sha256").update(machine.project).digest("hex").slice(0, 32);
  machine.write({
    [`home/.hookline/trust/${trustFile}.json`]: given("trust.json"),
    "project/.hookline/sessions/7d04bbdd-157e-48fd-af8a-cbc07ef0c5e4.jsonl": given("session.jsonl"),
  });
  database(join(machine.home, ".hookline/journals.db"), given("journals.sql"));
  database(join(machine.project, ".hookline/tasks.db"), given("tasks.sql"));
  // Its records are signed, with the old path in them.
  database(join(machine.project, ".hookline/journal.db"), readFileSync(join(FIXTURE, "journal.sql"), "utf8"));
  return machine;
}

function database(path: string, sql: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "", { mode: 0o600 });
  const db = new SqlDatabase(path);
  db.exec(sql);
  db.close();
}

/** As a person who says yes. */
const takeOver = (machine: Machine) =>
  machine.run(["doctor", "--fix", "--json"], { interactive: true, confirm: async () => true });

test("trust of 0.1 holds for what it covered whole; for the rest, the first start says why not and what to do", async () => {
  const machine = leftBy01();
  const { hooks } = JSON.parse((await machine.cli(["list", "--json"])).stdout);
  const states = hooks.map(({ id, state }: { id: string; state: string }) => [id, state]);
  expect(Object.fromEntries(states)).toEqual({ "no-env": "on", ask: "on", bye: "on", "by-variable": "untrusted" });
  const { code, stderr } = await machine.cli(["fire", "BeforeTool"]);
  expect(code).toBe(1);
  expect(stderr).toContain("declares a hook that is not trusted:\n  by-variable (BeforeTool)");
  expect(stderr).toContain(
    "Trusted with hookline 0.1: by-variable. For each, it changed since, or this version covers",
  );
  expect(stderr).toContain("Run `hookline trust` to look at them");
  expect((await machine.cli(["doctor"])).stdout).toContain('"by-variable" was trusted with hookline 0.1');
});

test("settings of 0.1 are read as they are; a timeout that means something else now is named", async () => {
  const machine = leftBy01();
  expect((await machine.cli(["validate"])).stdout).toContain("0 errors, 1 warning (4 hooks, 1 ability in 4 files)");
  const { stderr } = await machine.cli(["list"]);
  const [, timeout] = stderr.trimEnd().split("\n");
  expect(timeout).toMatch(
    /^! .*settings\.json:1:\d+: the timeout 60 of "bye" is 60 ms now, .* 0\.1 read 60 s\. .*60000/,
  );
});

test.each([[["log"]], [["stats"]], [["list"]], [["task", "list"]], [["fire", "BeforeTool", "--trust-project"]]])(
  "`%s` says once that the files of 0.1 are not read",
  async (args) => {
    const machine = leftBy01();
    expect((await machine.cli(args)).stderr).toMatch(NOT_READ);
    expect((await machine.cli(args)).stderr).toBe("");
  },
);

test("the journal of 0.1 is taken over in front of the records that are there by then", async () => {
  const machine = leftBy01();
  await machine.cli(["fire", "BeforeTool", "tool_input.file_path=a.txt", "--trust-project"]);
  expect((await machine.cli(["doctor"])).stdout).toMatch(/They may be in .*journal\.db, of an earlier version/);
  const { repairs } = JSON.parse((await takeOver(machine)).stdout);
  expect(repairs).toEqual([
    { isDone: true, what: "13 records imported; 2 open tasks imported; 1 transcript imported" },
  ]);
  const logged = (await machine.cli(["log", "--json"])).stdout.trimEnd().split("\n");
  const shown = logged.map((line) => JSON.parse(line)).map(({ event, outcome }) => `${event} ${outcome}`);
  expect(shown).toEqual([
    "BeforeTool block",
    "PreAbilityCall ask",
    "Approval approved",
    "SessionEnd allow",
    "BeforeTool allow",
  ]);
  expect((await machine.cli(["log", "--verify"])).stdout).toMatch(/^✓ \d+ records intact, none missing\n$/);
});

test("a task that was approved in 0.1 is taken over without the approval, and asks again", async () => {
  const machine = leftBy01();
  expect((await machine.cli(["task", "list"])).stderr).toContain(
    "approvals of tasks are not copied, since 0.1 did not",
  );
  await takeOver(machine);
  const { tasks } = JSON.parse((await machine.cli(["task", "list", "--json"])).stdout);
  expect(tasks.map(({ status }: { status: string }) => status)).toEqual(["created", "created"]);
  for (const { task_key: key } of tasks) {
    const { code, stdout } = await machine.cli(["task", "run", key, "--trust-project"]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("Sure?")]);
  }
});
