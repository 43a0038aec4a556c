import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endOf, eventually } from "../support/machine.ts";
import { AbilityProject, GREET, INPUT, signal, type YamlHook } from "./abilityProject.ts";

const OTHER = { id: "other-one", runs: "echo other" };
const RUN = ["ability", "run", "greet", "--input", INPUT];

const watching = (id: string, on: string, match: object): YamlHook => ({ id, on, fields: { match } });

test("ability_scope decides by id, glob, list and operation key, and a hook sees the name that it hit", async () => {
  const project = new AbilityProject({
    abilities: [GREET, OTHER],
    hooks: [
      watching("by-id", "PreAbilityCall", { ability_scope: "greet" }),
      watching("by-glob", "PreAbilityCall", { ability_scope: "*-one" }),
      watching("by-list", "PreAbilityCall", { ability_scope: ["x", "say.h*"] }),
      watching("by-star", "PreAbilityCall", { ability_scope: "*" }),
      watching("by-none", "PreAbilityCall", { ability_scope: "gre" }),
    ],
  });
  await project.cli(RUN);
  await project.cli(["ability", "run", "other-one"]);
  const ids = (hook: string) => project.seen(hook).map(({ ability_id }) => ability_id);
  expect(["by-id", "by-glob", "by-list", "by-star", "by-none"].map(ids)).toEqual([
    ["greet"],
    ["other-one"],
    ["say.hello"],
    ["greet", "other-one"],
    [],
  ]);
});

test("min_duration_ms lets only slow calls through, with the real duration", async () => {
  const slow = { id: "slow", runs: "sleep 0.3; echo done" };
  const project = new AbilityProject({
    abilities: [GREET, slow],
    hooks: [
      watching("above", "PostAbilityCall", { min_duration_ms: 250 }),
      watching("far-above", "PostAbilityCall", { min_duration_ms: 1_000_000 }),
    ],
  });
  await project.cli(["ability", "run", "slow"]);
  expect(project.seen("above")).toMatchObject([{ ability_id: "slow" }]);
  expect(Number(project.seen("above")[0]?.duration_ms)).toBeGreaterThanOrEqual(300);
  expect(project.seen("far-above")).toEqual([]);
});

test("a hook that does not block delays no answer: it is printed, then waited for", async () => {
  const go = 'until [ -e "$HOOKLINE_PROJECT_DIR/../go" ]; do sleep 0.05; done';
  const project = new AbilityProject({ hooks: [{ id: "slow-post", on: "PostAbilityCall", runs: go }] });
  const child = project.start(RUN);
  let printed = "";
  child.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  const ended = endOf(child);
  await eventually(() => printed === "hello\n", 60_000);
  expect(child.exitCode).toBeNull(); // it waits
  project.machine.write({ go: "" });
  expect((await ended).code).toBe(0);
});

test("Ctrl-C goes on without hooks that do not block", async () => {
  const project = new AbilityProject({ hooks: [{ id: "never", on: "PostAbilityCall", runs: "sleep 1000" }] });
  const child = project.start(RUN);
  const ended = endOf(child);
  await eventually(() => existsSync(join(project.machine.dir, "seen/never.jsonl")), 60_000);
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, stdout: "hello\n" });
});

test("a guard that does not block is journalled, not applied", async () => {
  const denies = {
    id: "lax",
    on: "PreAbilityCall",
    answers: signal("ability_guard", "ABILITY_DENIED"),
    fields: { blocking: false },
  };
  const project = new AbilityProject({ hooks: [denies] });
  expect((await project.cli(RUN)).code).toBe(0);
  expect(project.seen("lax")).toHaveLength(1);
});

describe("a guard that fails", () => {
  const failing = (on: string, on_failure: string) => ({ id: "failing", on, runs: "exit 7", fields: { on_failure } });

  test("is skipped, unless it says that its failure counts", async () => {
    const skipped = new AbilityProject({ hooks: [failing("PreAbilityCall", "skip")] });
    expect((await skipped.cli(RUN)).code).toBe(0);
    const counted = new AbilityProject({ hooks: [failing("PreAbilityCall", "fail")] });
    expect(await counted.json(RUN)).toMatchObject({
      code: 2,
      said: { status: "denied", code: "ABILITY_DENIED", hooks: ["failing"] },
    });
    expect(counted.seen("greet")).toEqual([]);
  });

  test("at the creation makes the ability unavailable", async () => {
    const project = new AbilityProject({ hooks: [failing("PreAbilityCreate", "fail")] });
    expect(await project.json(["task", "create", "greet"])).toMatchObject({
      code: 2,
      said: { code: "ABILITY_UNAVAILABLE" },
    });
  });

  test("after the call changes nothing", async () => {
    const project = new AbilityProject({ hooks: [{ ...failing("PostAbilityCall", "skip"), runs: "exit 2" }] });
    expect((await project.cli(RUN)).code).toBe(0);
  });
});

test("signals of the wrong kind, and those of infra events, decide nothing", async () => {
  const wrong = signal("ability_preflight", "ABILITY_UNAVAILABLE", { reason: "wrong event" });
  const project = new AbilityProject({
    hooks: [
      { id: "misplaced", on: "PreAbilityCall", answers: wrong },
      { id: "infra", on: "PostAbilityCall", answers: signal("ability_guard", "ABILITY_DENIED") },
    ],
  });
  expect(await project.json(RUN)).toMatchObject({ code: 0, said: { status: "success", signals: [] } });
});

test("an allowing signal is handed on with the result", async () => {
  const allows = signal("ability_guard", "ABILITY_ALLOWED", { note: "mind the gap" });
  const project = new AbilityProject({ hooks: [{ id: "guard", on: "PreAbilityCall", answers: allows }] });
  expect((await project.json(RUN)).said.signals).toMatchObject([
    { code: "ABILITY_ALLOWED", payload: { note: "mind the gap" } },
  ]);
});

test("an ability that names environments is not available elsewhere", async () => {
  const project = new AbilityProject({ abilities: [{ ...GREET, fields: { environments: ["dev", "staging"] } }] });
  const refused = { code: 2, said: { status: "unavailable", code: "ABILITY_UNAVAILABLE", hooks: [] } };
  expect(await project.json(["task", "create", "greet"])).toMatchObject(refused);
  expect(await project.json(["task", "create", "greet", "--env", "prod"])).toMatchObject({
    ...refused,
    said: { reason: '"greet" runs in dev, staging only, not in prod.' },
  });
  expect(await project.json(["task", "create", "greet", "--env", "dev"])).toMatchObject({ code: 0 });
  expect(await project.json(["ability", "run", "greet"], { env: { HOOKLINE_ENV: "staging" } })).toMatchObject({
    code: 0,
  });
  expect(await project.json(["ability", "run", "greet", "--env", "prod"])).toMatchObject({
    code: 2,
    said: { status: "denied" },
  });
});

test("a file that an ability changed and does not declare is named", async () => {
  const project = new AbilityProject({ abilities: [{ ...GREET, fields: { writes: ["b/**"] } }] });
  const { code, stderr } = await project.cli(RUN);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: '! "greet" changed files that its "writes" does not name: a.txt\n',
  });
});
