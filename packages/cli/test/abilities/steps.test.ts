import { describe, expect, test } from "vitest";
import { AbilityProject, GREET, INPUT, signal } from "./abilityProject.ts";

const WATCHERS = ["PreAbilityCreate", "PreAbilityCall", "PostAbilityCall"].map((on) => ({ id: on.toLowerCase(), on }));
const ms = expect.any(Number);
const base = {
  session_id: expect.any(String),
  timestamp: expect.any(String),
  transcript_path: "",
  cwd: expect.any(String),
};

describe.each([
  [
    "an agent's session",
    { HOOKLINE_SESSION_ID: "s-1" },
    ["--triggered-by", "kim"],
    { source: "ai_session", session_id: "s-1", triggered_by: "kim" },
  ],
  [
    "a job",
    {},
    ["--source", "background_job", "--job-id", "nightly", "--triggered-by", "cron"],
    { source: "background_job", job_id: "nightly", triggered_by: "cron" },
  ],
  [
    "a pipeline",
    { GITLAB_CI: "true", CI_JOB_ID: "7" },
    ["--triggered-by", "kim"],
    { source: "ci_pipeline", job_id: "7", triggered_by: "kim" },
  ],
  ["a person", {}, ["--source", "manual_cli", "--triggered-by", "kim"], { source: "manual_cli", triggered_by: "kim" }],
])("called by %s", (_, env, flags, caller) => {
  test("a task is created, run and reported, and every hook is told by whom and with what", async () => {
    const project = new AbilityProject({ hooks: WATCHERS });
    const created = await project.json(["task", "create", "greet", "--input", INPUT, "--env", "dev", ...flags], {
      env,
    });
    expect(created).toEqual({ code: 0, said: { task_key: expect.any(String), status: "created", signals: [] } });
    const task_key = String(created.said.task_key);
    const ran = await project.json(["task", "run", task_key, ...flags], { env });
    expect(ran).toEqual({
      code: 0,
      said: { task_key, status: "success", output: "hello", changed_files: ["a.txt"], duration_ms: ms, signals: [] },
    });
    const event = (name: string) => ({ ...base, hook_event_name: name, event_type: name });
    expect(project.seen("preabilitycreate")).toEqual([
      {
        ...event("PreAbilityCreate"),
        ability_ref: { kind: "ability_id", value: "greet" },
        input_summary: INPUT,
        environment: "dev",
        caller,
      },
    ]);
    expect(project.seen("preabilitycall")).toEqual([
      { ...event("PreAbilityCall"), ability_id: "greet", task_key, args_summary: INPUT, caller },
    ]);
    expect(project.seen("postabilitycall")).toEqual([
      {
        ...event("PostAbilityCall"),
        ability_id: "greet",
        task_key,
        status: "success",
        duration_ms: ms,
        input_summary: INPUT,
        output_summary: "hello",
      },
    ]);
    expect(project.seen("greet")).toEqual([{ name: "you" }]);
    expect(await project.task(task_key)).toMatchObject({ status: "success", caller, environment: "dev", runs: 1 });
  });

  test("what hooks say is unavailable makes no task, and what they deny is not run", async () => {
    const unavailable = signal("ability_preflight", "ABILITY_UNAVAILABLE", { reason: "not in prod" });
    const denied = signal("ability_guard", "ABILITY_DENIED", { reason: "not from here" });
    const off = new AbilityProject({ hooks: [{ id: "preflight", on: "PreAbilityCreate", answers: unavailable }] });
    expect(await off.json(["task", "create", "greet", "--input", INPUT, ...flags], { env })).toEqual({
      code: 2,
      said: {
        task_key: null,
        status: "unavailable",
        code: "ABILITY_UNAVAILABLE",
        reason: "not in prod",
        hooks: ["preflight"],
        signals: [expect.objectContaining({ source_event: "PreAbilityCreate", hook_id: "preflight" })],
      },
    });
    expect((await off.json(["task", "list"])).said).toEqual({ tasks: [], total: 0 });

    const post = { id: "post", on: "PostAbilityCall" };
    const guarded = new AbilityProject({ hooks: [{ id: "guard", on: "PreAbilityCall", answers: denied }, post] });
    const key = await guarded.created();
    expect(await guarded.json(["task", "run", key, ...flags], { env })).toMatchObject({
      code: 2,
      said: { task_key: key, status: "denied", code: "ABILITY_DENIED", reason: "not from here", hooks: ["guard"] },
    });
    expect(await guarded.json(["ability", "run", "greet", "--input", INPUT, ...flags], { env })).toMatchObject({
      code: 2,
    });
    expect(await guarded.task(key)).toMatchObject({ status: "denied", reason: "not from here", runs: 0 });
    expect(guarded.seen("greet")).toEqual([]);
    expect(guarded.seen("post")).toEqual([]); // none after a denial
  });
});

test("a direct run asks PreAbilityCall and tells PostAbilityCall, without a task", async () => {
  const project = new AbilityProject({ hooks: WATCHERS });
  const { code, stdout } = await project.cli(["ability", "run", "say.hi", "--input", "-"], { stdin: INPUT });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "hello\n" });
  expect(project.seen("preabilitycreate")).toEqual([]);
  expect(project.seen("preabilitycall")).toMatchObject([{ ability_id: "greet" }]);
  expect(project.seen("preabilitycall")[0]).not.toHaveProperty("task_key");
  expect(project.seen("postabilitycall")[0]).not.toHaveProperty("task_key");
  expect(project.machine.has(`${project.machine.state}/tasks.db`)).toBe(false);
});

test("an ability asked for by its operation key is told as such, and run under its id", async () => {
  const project = new AbilityProject({ hooks: WATCHERS });
  const key = await project.created("say.hello");
  await project.cli(["task", "run", key]);
  expect(project.seen("preabilitycreate")).toMatchObject([
    { ability_ref: { kind: "operation_key", value: "say.hello" } },
  ]);
  expect(project.seen("preabilitycall")).toMatchObject([{ ability_id: "greet" }]);
  expect(await project.task(key)).toMatchObject({ ability_id: "greet", ability_ref: { value: "say.hello" } });
});

test("a script gets its input, what it is for, and no credentials but those that it may have", async () => {
  const runs = `printf '%s|%s|%s|%s|%s|%s' "$HOOKLINE_TASK_KEY" "$HOOKLINE_ABILITY_ID" "$HOOKLINE_ENV" "$MINE" "$API_KEY" "$MY_TOKEN"; pwd >&2`;
  const implementation = { kind: "script", command: "./scripts/env.sh", env: { MINE: "own" }, pass_env: ["MY_TOKEN"] };
  const project = new AbilityProject({ abilities: [{ id: "env", runs, fields: { implementation } }] });
  const key = await project.created("env", "--env", "dev");
  const env = { API_KEY: "secret", MY_TOKEN: "given" };
  expect((await project.json(["task", "run", key], { env })).said.output).toBe(`${key}|env|dev|own||given`);
});

test("secrets of the input are not told to hooks, and are passed on to the ability", async () => {
  const project = new AbilityProject({ hooks: WATCHERS });
  const input = '{"password":"hunter2","note":"token=abc123"}';
  await project.cli(["ability", "run", "greet", "--input", input]);
  expect(project.seen("greet")).toEqual([JSON.parse(input)]);
  expect(project.seen("preabilitycall")).toMatchObject([
    { args_summary: '{"password":"[redacted]","note":"token=[redacted]"}' },
  ]);
});

test("an agent's session cannot pass for something else, nor approve", async () => {
  const project = new AbilityProject({ abilities: [GREET] });
  const env = { HOOKLINE_SESSION_ID: "s-1" };
  const lied = await project.json(["ability", "run", "greet", "--source", "manual_cli"], { env });
  expect(lied).toMatchObject({ code: 1, said: { error: { code: "OPTION_INVALID" } } });
  const key = await project.created();
  const approved = await project.json(["task", "approve", key], { env });
  expect(approved).toMatchObject({ code: 1, said: { error: { what: expect.stringContaining("for a person") } } });
});
