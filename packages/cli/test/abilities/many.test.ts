import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TaskStore } from "../../src/abilities/store/taskStore.ts";
import { endOf, eventually } from "../support/machine.ts";
import { AbilityProject, INPUT } from "./abilityProject.ts";

const WORKER = fileURLToPath(new URL("../fixtures/tasks/createAndRun.mjs", import.meta.url));
const PROCESSES = 8;
const TASKS = 1_000;
/** Its key is one line: what is written by an append of so few bytes is not torn apart. */
const NOTES_ITS_KEY = { id: "note", runs: `echo "$HOOKLINE_TASK_KEY" >> "$HOOKLINE_PROJECT_DIR/../ran"; echo done` };

test("8 processes create and run 1,000 tasks at once: none is lost, none is run twice", {
  timeout: 600_000,
}, async () => {
  const project = new AbilityProject({ abilities: [NOTES_ITS_KEY] });
  const { machine } = project;
  const settings = {
    dir: machine.project,
    home: machine.home,
    systemFile: machine.systemFile,
    tasks: TASKS / PROCESSES,
  };
  const workers = Array.from({ length: PROCESSES }, () =>
    endOf(spawn(process.execPath, [WORKER, JSON.stringify(settings)], { env: machine.env() })),
  );
  const ended = await Promise.all(workers);
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: "" })));
  const created = ended.flatMap(({ stdout }) => stdout.trim().split("\n"));
  const ran = machine.read("ran").trim().split("\n");
  expect(new Set(created).size).toBe(TASKS);
  expect(ran.toSorted()).toEqual(created.toSorted());
  const store = new TaskStore(machine.place);
  expect(await store.list({ status: "success", limit: 1 })).toMatchObject({ total: TASKS });
  await store.close();
});

test("several that run the same task at once: one does, the others are told", async () => {
  const project = new AbilityProject({ abilities: [NOTES_ITS_KEY] });
  const key = await project.created("note");
  const ended = await Promise.all(Array.from({ length: 5 }, () => project.json(["task", "run", key])));
  expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1, 1]);
  for (const { said } of ended.filter(({ code }) => code === 1))
    expect(said).toMatchObject({ error: { code: "TASK_NOT_RUNNABLE" } });
  expect(project.machine.read("ran")).toBe(`${key}\n`);
  expect(await project.task(key)).toMatchObject({ status: "success", runs: 1 });
});

test("a process that is killed in mid-run leaves a task that is reported as interrupted, and runs again if told to", async () => {
  const runs = `echo $$ > "$HOOKLINE_PROJECT_DIR/../pid"\n[ -e "$HOOKLINE_PROJECT_DIR/../second" ] || exec sleep 1000\necho done`;
  const project = new AbilityProject({ abilities: [{ id: "slow", runs }] });
  const key = await project.created("slow");
  const child = project.start(["task", "run", key]);
  const ended = endOf(child);
  const pidFile = join(project.machine.dir, "pid");
  await eventually(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"), 60_000);
  expect(await project.task(key)).toMatchObject({ status: "running" });
  child.kill("SIGKILL");
  process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL"); // a killed runner cannot end what it started
  await ended;
  expect((await project.json(["task", "list", "--status", "interrupted"])).said).toMatchObject({
    tasks: [{ task_key: key }],
  });
  expect(await project.json(["task", "run", key])).toMatchObject({
    code: 1,
    said: { error: { code: "TASK_NOT_RUNNABLE", what: expect.stringContaining("interrupted") } },
  });
  project.machine.write({ second: "" });
  expect(await project.json(["task", "run", key, "--again"])).toMatchObject({ code: 0, said: { output: "done" } });
  expect(await project.task(key)).toMatchObject({ status: "success", runs: 2 });
});

test("Ctrl-C ends the script with its group; the task is interrupted, and hooks hear of it", async () => {
  const project = new AbilityProject({
    abilities: [{ id: "slow", runs: "sleep 1000" }],
    hooks: [{ id: "post", on: "PostAbilityCall", fields: { blocking: true } }],
  });
  const key = await project.created("slow");
  const child = project.start(["task", "run", key]);
  const ended = endOf(child);
  await eventually(() => existsSync(join(project.machine.dir, "seen/slow.jsonl")), 60_000);
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  expect(await project.task(key)).toMatchObject({ status: "interrupted", runs: 1 });
  expect(project.seen("post")).toMatchObject([{ status: "failure", error_message: "The caller interrupted it." }]);
});

test("tasks are made and run through the program by several at once", async () => {
  const project = new AbilityProject({ abilities: [NOTES_ITS_KEY] });
  const one = async () => {
    const key = await project.created("note", "--input", INPUT);
    const { code, stdout, stderr } = await project.cli(["task", "run", key]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    return key;
  };
  const keys = await Promise.all(Array.from({ length: 6 }, one));
  expect(project.machine.read("ran").trim().split("\n").toSorted()).toEqual(keys.toSorted());
});
