import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventEntry } from "../../../journal/test/support/journalFixtures.ts";
import { nodeVersion, platform, shell, thread } from "../../src/doctor/installation.ts";
import { PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { GUARD, Patient, runEntry } from "./patient.ts";

test("where nothing is wrong it says so in every part, and exits with 0", async () => {
  const patient = await Patient.trusted();
  await patient.fire();
  const { code, said, troubles } = await patient.doctor();
  expect({ code, troubles, errors: said.errors, warnings: said.warnings }).toEqual({
    code: 0,
    troubles: [],
    errors: 0,
    warnings: 0,
  });
  expect(Object.keys(said.sections)).toEqual(["installation", "settings", "trust", "stores", "hooks"]);
  expect(said.hooks).toMatchObject([{ name: "guard", state: "on", runs: 1, failures: 0, last: { outcome: "allow" } }]);
  const { code: again, stdout } = await patient.machine.cli(["doctor"]);
  expect([again, stdout]).toEqual([0, expect.stringMatching(/\n\n✓ no problems found\n$/)]);
  expect(stdout).toMatch(
    /✓ ~\/\.hookline\/projects\/project-[0-9a-f]{20}\/journal\.db: 2 records intact, none missing\n/,
  );
});

test("an empty folder has nothing to complain about, and nothing is written into it or the home folder", async () => {
  const patient = new Patient();
  expect(await patient.doctor()).toMatchObject({ code: 0, troubles: [] });
  expect([patient.machine.has("project/.hookline"), patient.machine.has("home/.hookline")]).toEqual([false, false]);
});

test.each([
  ["an old Node", nodeVersion("20.18.3"), "Node 20.18.3 is too old."],
  ["an unknown platform", platform("win32"), "The platform win32 is not supported."],
  [
    "a file of the program that is missing",
    thread("/nowhere/journalThread.js"),
    "The module that writes the journal is missing.",
  ],
])("%s is an error with the way out", (_, found, what) => {
  expect(found).toMatchObject({ severity: "error", what, next: expect.stringMatching(/^(Install|Use) /) });
});

test("the Node, platform and shell of these tests are fine", () => {
  const found = [nodeVersion(process.versions.node), platform(process.platform), shell(process.env.PATH)];
  expect(found.map(({ severity }) => severity)).toEqual(["ok", "ok", "ok"]);
});

describe("trust:", () => {
  test("an untrusted project is told, and nothing of it is started", async () => {
    const patient = new Patient({ hooks: [GUARD] });
    const { code, said, troubles } = await patient.doctor();
    expect({ code, troubles }).toEqual({
      code: 1,
      troubles: ["trust warning 1 hook of this project is not trusted, so it does not run: guard"],
    });
    expect(said.hooks).toMatchObject([{ name: "guard", state: "untrusted" }]);
    expect(patient.machine.has("seen/guard.jsonl")).toBe(false);
  });

  test("a script that was changed, and a hook that is gone, are told", async () => {
    const patient = await Patient.trusted({ hooks: [GUARD, { ...GUARD, name: "other" }] });
    patient.machine.write({ "project/hooks/guard.sh": "#!/bin/sh\nexit 0\n" });
    const text = patient.machine.read(PROJECT_FILE);
    writeFileSync(patient.at(".hookline/settings.json"), text.replace('"other"', '"another"'));
    const { troubles } = await patient.doctor();
    expect(troubles).toEqual([
      "trust warning 1 hook of this project is not trusted, so it does not run: another",
      'trust warning "guard" has changed since it was trusted, so it does not run.',
      "trust warning other on BeforeTool was trusted and is no longer declared.",
    ]);
  });

  test("a hook that is switched off is neither gone nor wrong, and said to be off", async () => {
    const patient = await Patient.trusted();
    await patient.machine.run(["disable", "guard"]);
    const { code, said } = await patient.doctor();
    expect({ code, hooks: said.hooks }).toMatchObject({ code: 0, hooks: [{ name: "guard", state: "off" }] });
    expect(said.sections.settings?.map(({ what }) => what)).toContain('hooksConfig.disabled: "guard" turns off guard');
  });

  test("a file of trust that cannot be read is told with its name", async () => {
    const patient = await Patient.trusted();
    const [name] = readdirSync(`${patient.machine.home}/.hookline/trust`);
    patient.machine.write({ [`home/.hookline/trust/${name}`]: "{ rubbish" });
    const { code, said } = await patient.doctor();
    expect(code).toBe(1);
    expect(said.sections.trust).toContainEqual(
      expect.objectContaining({
        severity: "error",
        where: { file: `${patient.machine.home}/.hookline/trust/${name}` },
        next: expect.stringContaining("hookline trust"),
      }),
    );
  });
});

describe("settings:", () => {
  test("a broken file is told with its place, and the others are read", async () => {
    const patient = new Patient({ hooks: [GUARD], files: { ".gemini/settings.json": '{ "hooks": \n  { oops' } });
    const { code, said } = await patient.doctor();
    expect(code).toBe(1);
    const file = patient.at(".gemini/settings.json");
    expect(said.sections.settings?.filter(({ where }) => where?.file === file)).toEqual([
      expect.objectContaining({ severity: "error", where: { file, line: 2, column: expect.any(Number) } }),
    ]);
    expect(said.sections.settings?.[0]).toMatchObject({ severity: "ok", what: "read, 1 hook" });
  });

  test("a hook whose program is missing is broken, and a .gemini file's limits are told", async () => {
    const command = { type: "command", name: "gone", command: "./gone.sh", timeout: "5s", onError: "allow" };
    const gemini = { hooks: { BeforeTool: [{ hooks: [command] }] } };
    const patient = new Patient({ files: { ".gemini/settings.json": gemini } });
    const { said, troubles } = await patient.doctor();
    expect(said.sections.settings?.map(({ what }) => what)).toContainEqual(
      expect.stringMatching(/^read, 1 hook; its switches apply only to hooks from \.gemini files/),
    );
    expect(troubles).toEqual([
      expect.stringMatching(/^settings error "\.\/gone\.sh" was not found/),
      "hooks error gone on BeforeTool is broken and does not run.",
    ]);
  });

  test("a journal that is switched off is told", async () => {
    const patient = new Patient();
    patient.machine.write({ [USER_FILE]: { hooksConfig: { journal: { enabled: false } } } });
    const { said } = await patient.doctor();
    expect(said.sections.stores?.[0]).toEqual({
      severity: "ok",
      what: "hooksConfig.journal.enabled is false: nothing is recorded",
    });
  });
});

describe("hooks:", () => {
  test("one that fails is told with why, and that it lets everything pass", async () => {
    const patient = await Patient.trusted({ hooks: [{ ...GUARD, runs: "exit 3" }] });
    await patient.fire();
    const { code, troubles } = await patient.doctor();
    expect({ code, troubles }).toEqual({
      code: 1,
      troubles: [
        expect.stringMatching(/^hooks error guard on BeforeTool failed at its last run, .*: exited with code 3/),
        expect.stringMatching(/^hooks warning guard on BeforeTool should enforce something, .*lets everything pass/),
      ],
    });
  });

  test("one that failed often, and not at last, is told by its counts", async () => {
    const settings = { onError: "block" };
    const patient = await Patient.trusted({ hooks: [{ ...GUARD, settings }] });
    patient.record((writer) =>
      writer.append([1, 2, 3, 4].map((nth) => runEntry(nth, { outcome: nth === 2 ? "failed" : "allow" }))),
    );
    expect((await patient.doctor()).troubles).toEqual([
      "hooks warning guard on BeforeTool failed in 1 of 4 runs in the last 7 days, but not in its last one.",
    ]);
  });

  test("one that takes more than half of its timeout is told", async () => {
    const patient = await Patient.trusted();
    patient.record((writer) => writer.append([runEntry(1, { durationMs: 20_000 })]));
    expect((await patient.doctor()).troubles).toEqual([
      "hooks warning guard on BeforeTool is slow: 1 of 20 runs in the last 7 days took 20.0 s or more; its timeout is 30.0 s.",
    ]);
  });

  test("one that never matched is told after a hundred events, unless its own event never fired", async () => {
    const never = { ...GUARD, name: "never", matcher: "^read_file$" };
    const unfired = { ...GUARD, name: "unfired", on: "PreCompress" };
    const patient = await Patient.trusted({ hooks: [GUARD, never, unfired] });
    patient.record((writer) => writer.append([eventEntry(0, { at: Date.now(), runs: [runEntry(0)] })]));
    expect((await patient.doctor()).troubles).toEqual([]);
    patient.recordEvents(100);
    const { said, troubles } = await patient.doctor();
    expect(troubles).toEqual([
      "hooks warning never on BeforeTool has never run, although BeforeTool fired 101 times: its matcher may be wrong.",
    ]);
    expect(said.sections.hooks?.find(({ severity }) => severity === "warning")?.next).toContain(
      "hookline explain BeforeTool",
    );
  });

  test("those that are recorded and not declared any more are named", async () => {
    const patient = await Patient.trusted();
    const hook = { name: "old\u001b[31m", source: "project", type: "command" };
    patient.record((writer) => writer.append([runEntry(1, { hook }), runEntry(2)]));
    const { code, said } = await patient.doctor();
    expect({ code, undeclared: said.undeclared }).toMatchObject({ code: 0, undeclared: [{ hook: "old\u001b[31m" }] });
    const { stdout } = await patient.machine.cli(["doctor"]);
    expect(stdout).toContain("recorded here but no longer declared: old\\e[31m\n");
    expect(stdout).not.toContain("\u001b");
  });
});
