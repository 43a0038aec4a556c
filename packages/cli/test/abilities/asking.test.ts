import { expect, test } from "vitest";
import { AbilityProject, INPUT, signal } from "./abilityProject.ts";

const ASKS = {
  id: "guard",
  on: "PreAbilityCall",
  answers: signal("ability_guard", "ABILITY_DENIED", { reason: "sure?", require_human: true }),
};
const ASKS_FIRST = {
  id: "preflight",
  on: "PreAbilityCreate",
  answers: signal("ability_preflight", "ABILITY_REQUIRES_HUMAN", { reason: "may it?" }),
};

test("a run that hooks ask about waits for a person, whose yes holds for one run", async () => {
  const project = new AbilityProject({ hooks: [ASKS] });
  const key = await project.created();
  const asked = {
    code: 3,
    said: { task_key: key, status: "awaiting_human", code: "ABILITY_REQUIRES_HUMAN", reason: "sure?" },
  };
  expect(await project.json(["task", "run", key])).toMatchObject(asked);
  const { stdout } = await project.cli(["task", "run", key]);
  expect(stdout).toContain(`hookline task approve ${key}`);
  expect(await project.task(key)).toMatchObject({
    status: "awaiting_human",
    reason: "sure?",
    hooks: ["guard"],
    runs: 0,
  });
  expect(project.seen("greet")).toEqual([]);

  expect(await project.json(["task", "approve", key, "--reason", "I looked"])).toMatchObject({
    code: 0,
    said: { status: "created", approval: { by: expect.any(String), reason: "I looked" } },
  });
  expect(await project.json(["task", "run", key])).toMatchObject({ code: 0, said: { status: "success" } });
  expect(await project.json(["task", "run", key, "--again"])).toMatchObject(asked);
  expect(project.seen("greet")).toHaveLength(1);
});

test("what hooks ask when a task is made keeps it from running until a person says yes", async () => {
  const project = new AbilityProject({ hooks: [ASKS_FIRST] });
  const created = await project.json(["task", "create", "greet", "--input", INPUT]);
  expect(created).toMatchObject({ code: 3, said: { status: "awaiting_human", reason: "may it?" } });
  const key = String(created.said.task_key);
  expect(await project.json(["task", "run", key])).toMatchObject({ code: 3, said: { reason: "may it?" } });
  await project.cli(["task", "approve", key]);
  expect(await project.json(["task", "run", key])).toMatchObject({ code: 0 });
});

test.each([
  ["ability_preflight", "PreAbilityCreate"],
  ["ability_guard", "PreAbilityCall"],
])("a task that a bare %s signal holds back can be read, and so can the others", async (kind, on) => {
  const answers = { hook_signals: [{ kind, code: "ABILITY_REQUIRES_HUMAN" }] };
  const project = new AbilityProject({ hooks: [{ id: "guard", on, answers }] });
  const { said } = await project.json(["task", "create", "greet", "--input", INPUT]);
  const key = String(said.task_key);
  expect(await project.json(["task", "run", key])).toMatchObject({ code: 3, said: { status: "awaiting_human" } });
  expect(await project.json(["task", "list"])).toMatchObject({ code: 0 });
  await project.cli(["task", "approve", key]);
  expect(await project.json(["task", "run", key])).toMatchObject({ code: 0, said: { status: "success" } });
});

test("a direct run that hooks ask about is not run where nobody can be asked", async () => {
  const project = new AbilityProject({ hooks: [ASKS] });
  expect(await project.json(["ability", "run", "greet"])).toMatchObject({
    code: 3,
    said: { task_key: null, status: "awaiting_human", reason: "sure?" },
  });
  expect(project.seen("greet")).toEqual([]);
});

test.each([
  [true, 0, "success", 1],
  [false, 2, "denied", 0],
])("a person at a terminal who says %s is taken at their word", async (answer, code, status, runs) => {
  const project = new AbilityProject({ hooks: [ASKS, { id: "told", on: "Notification" }] });
  const key = await project.created();
  const questions: string[] = [];
  const confirm = async (question: string) => {
    questions.push(question);
    return answer;
  };
  const world = { interactive: true, confirm, env: { HOOKLINE_TRUST_PROJECT: "1" } };
  const ended = await project.machine.run(["task", "run", key], world);
  expect(ended.code).toBe(code);
  expect(ended.stdout).toContain("sure?");
  expect(questions).toEqual(["Run greet?"]);
  expect(await project.task(key)).toMatchObject({ status, runs });
  expect(project.seen("told")).toMatchObject([{ notification_type: "ToolPermission", message: "sure?" }]);
});

test("an approval does not answer for a hook that denies", async () => {
  const denies = {
    id: "denier",
    on: "PreAbilityCall",
    answers: signal("ability_guard", "ABILITY_DENIED", { reason: "never" }),
  };
  const project = new AbilityProject({ hooks: [ASKS, denies] });
  const key = await project.created();
  await project.cli(["task", "approve", key]);
  expect(await project.json(["task", "run", key])).toMatchObject({
    code: 2,
    said: { status: "denied", hooks: expect.arrayContaining(["denier"]) },
  });
  const approved = await project.json(["task", "approve", key]);
  expect(approved).toMatchObject({
    code: 1,
    said: { error: { code: "TASK_NOT_RUNNABLE", next: expect.stringContaining("--again") } },
  });
});

test("what a person denied is run by nobody, until a person approves it", async () => {
  const project = new AbilityProject();
  const key = await project.created();
  const denied = await project.json(["task", "deny", key, "--reason", "not before Monday"]);
  expect(denied).toMatchObject({ code: 0, said: { status: "denied", reason: "not before Monday" } });
  expect(await project.json(["task", "run", key, "--again"])).toMatchObject({
    code: 1,
    said: { error: { code: "TASK_NOT_RUNNABLE", what: expect.stringContaining("not before Monday") } },
  });
  await project.cli(["task", "approve", key]);
  expect(await project.json(["task", "run", key])).toMatchObject({ code: 0, said: { status: "success" } });
});
