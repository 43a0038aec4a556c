import { expect, test } from "vitest";
import { type OpenRunnerOptions, openToolRunner } from "../../src/abilities/openToolRunner.ts";
import { hooksOn, USER_FILE } from "../support/machine.ts";
import { AbilityProject } from "./abilityProject.ts";

const COUNTS = { id: "count", runs: `echo ran >> "$HOOKLINE_PROJECT_DIR/../ran"; echo done` };

function open({ machine }: AbilityProject, options: Partial<OpenRunnerOptions> = {}) {
  const { project: workingDir, home: homeDir, systemFile } = machine;
  return openToolRunner({ workingDir, homeDir, systemFile, trust: "all", ...options });
}

test("a task that another program has run since it was made is not run by the one that made it", async () => {
  const project = new AbilityProject({ abilities: [COUNTS] });
  const [maker, other] = [await open(project), await open(project)];
  const made = await maker.runner.createTask("count", {});
  if (made.kind !== "created") throw new Error(made.kind);
  expect(await other.runner.runTask(made.task.key)).toMatchObject({ kind: "ran", status: "success" });
  await expect(maker.runner.runTask(made.task.key)).rejects.toMatchObject({
    code: "TASK_NOT_RUNNABLE",
    message: `The task ${made.task.key} has already run and ended with success.`,
  });
  expect(project.machine.read("ran")).toBe("ran\n");
  await Promise.all([maker.close(), other.close()]);
});

test("a task that a person denied since it was made is not run by the program that made it", async () => {
  const project = new AbilityProject({ abilities: [COUNTS] });
  const { runner, close } = await open(project);
  const made = await runner.createTask("count", {});
  if (made.kind !== "created") throw new Error(made.kind);
  const denied = await project.cli(["task", "deny", made.task.key, "--reason", "not today"]);
  expect(denied.code).toBe(0);
  await expect(runner.runTask(made.task.key)).rejects.toMatchObject({ code: "TASK_NOT_RUNNABLE" });
  expect(project.machine.has("ran")).toBe(false);
  await close();
});

test("what hooks decide is in the journal, also where no recorder is given", async () => {
  const project = new AbilityProject({ abilities: [COUNTS] });
  project.machine.write({
    [USER_FILE]: hooksOn("PreAbilityCall", [{ name: "freeze", command: "echo frozen >&2; exit 2" }]),
  });
  const { runner, close } = await open(project);
  expect(await runner.run("count", {})).toMatchObject({ kind: "denied", reason: "frozen" });
  await close();
  const { stdout } = await project.machine.cli(["log", "--decision", "block"]);
  expect(stdout).toContain("freeze: frozen");
});

test("the caller's abort takes a question back: nobody has decided, and the ability does not run", async () => {
  const project = new AbilityProject({ abilities: [COUNTS] });
  const ask = { signals: [{ kind: "guard", code: "ABILITY_REQUIRES_HUMAN", payload: { reason: "sure?" } }] };
  project.machine.write({
    [USER_FILE]: hooksOn("PreAbilityCall", [{ name: "asks", command: `echo '${JSON.stringify(ask)}'` }]),
  });
  const caller = new AbortController();
  const approve = async () => {
    caller.abort();
    return new Promise<boolean>(() => {});
  };
  const { runner, close } = await open(project, { approve, signal: caller.signal });
  await expect(runner.run("count", {})).rejects.toThrow("aborted");
  await close();
  expect(project.machine.has("ran")).toBe(false);
  const { stdout } = await project.machine.cli(["log"]);
  expect(stdout).toContain("cancelled while a person was asked");
});
