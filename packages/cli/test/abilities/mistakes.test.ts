import { execFileSync, spawn } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endOf } from "../support/machine.ts";
import { sharedProgram } from "../support/sharedProgram.ts";
import { AbilityProject, GREET, INPUT } from "./abilityProject.ts";

const NOBODY = 65534;
const SCHEMA = {
  type: "object",
  properties: { name: { type: "string", pattern: "^[a-z]+$" } },
  required: ["name"],
  additionalProperties: false,
};
const STRICT = { ...GREET, fields: { ...GREET.fields, input: SCHEMA } };

describe("a mistake of the caller is named, no hook is asked, and no task is made:", () => {
  test.each([
    ["an unknown ability", ["gret"], "ABILITY_UNKNOWN", 'There is no ability "gret". Did you mean "greet"?'],
    ["a missing field", ["greet"], "ABILITY_INPUT_INVALID", "name"],
    ["a wrong value", ["greet", "--input", '{"name":"YOU"}'], "ABILITY_INPUT_INVALID", "pattern"],
    ["an unknown field", ["greet", "--input", '{"name":"a","x":1}'], "ABILITY_INPUT_INVALID", "additional properties"],
    ["an input that is no object", ["greet", "--input", "[1]"], "ABILITY_INPUT_INVALID", "is not a JSON object"],
    ["an input that is no JSON", ["greet", "--input", "{oops"], "ABILITY_INPUT_INVALID", "--input is not JSON"],
    ["a file that is not there", ["greet", "--input", "@no-such.json"], "FILE_UNUSABLE", "cannot be read"],
    ["an unknown source", ["greet", "--input", INPUT, "--source", "robot"], "OPTION_INVALID", "ai_session"],
  ])("%s", async (_, args, code, words) => {
    const project = new AbilityProject({ abilities: [STRICT], hooks: [{ id: "preflight", on: "PreAbilityCreate" }] });
    const { code: exit, said } = await project.json(["task", "create", ...args]);
    expect({ exit, said }).toEqual({
      exit: 1,
      said: {
        error: expect.objectContaining({ code, what: expect.stringContaining(words), next: expect.any(String) }),
      },
    });
    expect(project.seen("preflight")).toEqual([]);
    expect(project.machine.has(`${project.machine.state}/tasks.db`)).toBe(false);
  });
});

test("an input is taken from a file or from standard input", async () => {
  const project = new AbilityProject({ abilities: [STRICT], files: { "project/in.json": INPUT } });
  expect((await project.cli(["ability", "run", "greet", "--input", "@in.json"])).code).toBe(0);
  expect((await project.cli(["ability", "run", "greet", "--input", "-"], { stdin: INPUT })).code).toBe(0);
});

test("a schema that cannot be used is the ability's mistake", async () => {
  const broken = {
    ...GREET,
    fields: { input: { type: "object", properties: { a: { type: "string", pattern: "(" } } } },
  };
  const project = new AbilityProject({ abilities: [broken] });
  const { code, said } = await project.json(["ability", "run", "greet"]);
  expect({ code, said }).toMatchObject({ code: 1, said: { error: { code: "ABILITY_INVALID" } } });
});

test("a task that does not exist, or was run, is not run", async () => {
  const project = new AbilityProject();
  expect(await project.json(["task", "run", "t-nosuch"])).toMatchObject({
    code: 1,
    said: { error: { code: "TASK_UNKNOWN" } },
  });
  const key = await project.created();
  await project.cli(["task", "run", key]);
  expect(await project.json(["task", "run", key])).toMatchObject({
    code: 1,
    said: {
      error: {
        code: "TASK_NOT_RUNNABLE",
        what: expect.stringContaining("ended with success"),
        next: expect.stringContaining("--again"),
      },
    },
  });
  expect((await project.cli(["task", "run", key, "--again"])).code).toBe(0);
  expect(await project.task(key)).toMatchObject({ status: "success", runs: 2 });
  expect((await project.cli(["task", "show", key])).stdout).toContain("success");
  expect((await project.cli(["task", "list", "--status", "sucess"])).stderr).toContain('Did you mean "success"?');
});

describe("a script that does wrong is a failure that says what it did:", () => {
  test.each([
    ["prints rubbish", { runs: "echo '{ rubbish'" }, "begins like JSON but is invalid"],
    ["hangs", { runs: "sleep 1000", fields: { timeout: "300ms" } }, "took longer than 300 ms"],
    ["exits with a code", { runs: "echo why >&2; exit 4" }, "exited with code 4.\nwhy"],
    ["is killed", { runs: "kill -9 $$" }, "killed by SIGKILL"],
    [
      "is gone from its interpreter",
      { fields: { implementation: { kind: "script", command: "no-such-program-here x" } } },
      "no-such-program-here",
    ],
  ])("it %s", async (_, ability, words) => {
    const project = new AbilityProject({
      abilities: [{ id: "bad", ...ability }],
      hooks: [{ id: "post", on: "PostAbilityCall" }],
    });
    const key = await project.created("bad");
    const { code, said } = await project.json(["task", "run", key]);
    expect({ code, said }).toMatchObject({
      code: 1,
      said: { status: "failure", error: expect.stringContaining(words) },
    });
    expect(await project.task(key)).toMatchObject({ status: "failure", error: expect.stringContaining(words) });
    expect(project.seen("post")).toMatchObject([{ status: "failure", error_message: expect.stringContaining(words) }]);
  });

  test("a partial result is one", async () => {
    const runs = `echo '{"status":"partial","output":{"done":1}}'`;
    const project = new AbilityProject({ abilities: [{ id: "half", runs }] });
    const { code, stdout, stderr } = await project.cli(["ability", "run", "half"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '{\n  "done": 1\n}\n',
      stderr: "! It reported that it did only part of its work.\n",
    });
  });
});

test("a script that was changed after it was trusted is not run, and the task stays as it is", async () => {
  const change = "echo 'echo changed' >> \"$HOOKLINE_PROJECT_DIR/scripts/greet.sh\"";
  const project = new AbilityProject({ hooks: [{ id: "meddler", on: "PreAbilityCall", runs: change }] });
  const key = await project.created();
  expect(await project.json(["task", "run", key])).toMatchObject({
    code: 1,
    said: { error: { code: "HOOK_CHANGED", what: expect.stringContaining("greet") } },
  });
  expect(await project.task(key)).toMatchObject({ status: "created", runs: 0 });
  expect(project.seen("greet")).toEqual([]);
});

test("without trust nothing is started; looking needs none", async () => {
  const project = new AbilityProject();
  const { machine } = project;
  const refused = await machine.cli(["task", "create", "greet", "--json"]);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("TRUST_REQUIRED");
  expect((await machine.cli(["ability", "list"])).stdout).toContain("say.hello");
  expect((await machine.cli(["ability", "show", "say.hi"])).code).toBe(0);
  expect((await machine.cli(["task", "list"])).code).toBe(0);
  expect((await machine.cli(["ability", "run", "greet", "--trust-project"])).code).toBe(0);
});

describe("a store that cannot be used is named, and nothing is lost:", () => {
  test("damaged", async () => {
    const project = new AbilityProject();
    const file = join(project.machine.dir, project.machine.state, "tasks.db");
    await project.created();
    writeFileSync(file, "rubbish".repeat(1_000));
    const { code, said } = await project.json(["task", "create", "greet"]);
    expect({ code, said }).toMatchObject({
      code: 1,
      said: { error: { code: "STORE_UNUSABLE", where: file, next: expect.stringContaining("Nothing was deleted") } },
    });
    expect(readFileSync(file, "utf8")).toContain("rubbish");
  });

  test("read-only", async () => {
    const project = new AbilityProject();
    const { machine } = project;
    const key = await project.created();
    const folder = join(machine.dir, machine.state);
    // Rights mean nothing to the superuser, who therefore does it as somebody else.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      for (const path of [machine.dir, machine.project]) chmodSync(path, 0o755);
      execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, machine.home]);
    }
    chmodSync(join(folder, "tasks.db"), 0o400);
    chmodSync(folder, 0o500);
    const child = spawn(process.execPath, [sharedProgram(), "task", "run", key, "--json"], {
      cwd: machine.project,
      env: machine.env({ HOOKLINE_TRUST_PROJECT: "1" }),
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    const { code, stdout, stderr } = await endOf(child);
    chmodSync(folder, 0o700);
    chmodSync(join(folder, "tasks.db"), 0o600);
    if (isRoot) execFileSync("chown", ["-R", "0:0", machine.home]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "STORE_UNUSABLE", where: join(folder, "tasks.db") } });
    expect(await project.task(key)).toMatchObject({ status: "created", runs: 0 });
    expect(project.seen("greet")).toEqual([]);
  });
});
