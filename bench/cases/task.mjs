import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runBare } from "../floor.mjs";
import { measure } from "../measure.mjs";
import { row } from "../row.mjs";

export const cases = [{ name: "task create and task run of a script that does nothing", run }];

const BAR = 1.15;
const INPUT = { name: "bench" };
const SCRIPT = "#!/bin/sh\nexit 0\n";

/** The floor starts the same script and does three transactions on a store like ours: the task is made, claimed, done. */
async function run(name, dir) {
  const [ours, floor] = await Promise.all([startOurs(join(dir, "tasks-ours")), startFloor(join(dir, "tasks-floor"))]);
  const times = await measure({ ours: ours.once, floor: floor.once }, { rounds: 300, batchMs: 0, warmUpMs: 3_000 });
  await Promise.all([ours.close(), floor.close()]);
  return row(name, times, [[`<= ${BAR}x floor`, times.ours <= times.floor * BAR]]);
}

async function startOurs(project) {
  const { openToolRunner } = await import("../../packages/cli/bundle/runner.js");
  await makeProject(project);
  const options = { workingDir: project, homeDir: dirname(project), systemFile: join(project, "none"), trust: "all" };
  const { runner, close } = await openToolRunner(options);
  const once = async () => {
    const { task } = await runner.createTask("nothing", INPUT);
    const { status } = await runner.runTask(task.key);
    if (status !== "success") throw new Error(`It ended with ${status}`);
  };
  return { once, close };
}

async function startFloor(project) {
  const { TaskStore } = await import("../../packages/cli/bundle/runner.js");
  const script = await makeProject(project);
  const store = new TaskStore({ projectRoot: project, homeDir: dirname(project) });
  const nothing = { abilityId: "nothing", ref: {}, input: INPUT, environment: undefined, caller: {} };
  await store.create({ ...nothing, ref: { kind: "ability_id", value: "nothing" }, caller: { source: "manual_cli" } });
  await store.close();
  const db = await openDatabase(store.path);
  const create = db.prepare(
    "INSERT INTO tasks (key, root, ability_id, ref, input, status, caller, created_at) VALUES (?, 'here', 'nothing', '{}', ?, 'created', '{}', ?)",
  );
  const claim = db.prepare(
    "UPDATE tasks SET status = 'running', runs = 1, started_at = ?, owner = 'me', pid = 1, host = 'here', lease_until = ? WHERE key = ?",
  );
  const finish = db.prepare(
    "UPDATE tasks SET status = 'success', ended_at = ?, result = ?, owner = NULL WHERE key = ?",
  );
  let count = 0;
  const once = async () => {
    const key = `t-${count++}`;
    create.run(key, JSON.stringify(INPUT), new Date().toISOString());
    claim.run(new Date().toISOString(), Date.now(), key);
    const output = await runBare(script, [], JSON.stringify(INPUT));
    finish.run(new Date().toISOString(), JSON.stringify({ status: "success", output }), key);
  };
  return { once, close: () => db.close() };
}

/** As the store opens it. */
async function openDatabase(file) {
  const { default: Database } = await import("libsql");
  const db = new Database(file);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  return db;
}

async function makeProject(project) {
  await mkdir(join(project, ".system/abilities"), { recursive: true });
  const script = join(project, "nothing.sh");
  await writeFile(script, SCRIPT);
  await chmod(script, 0o755);
  const ability = { id: "nothing", implementation: { kind: "script", command: "./nothing.sh" } };
  await writeFile(join(project, ".system/abilities/nothing.yaml"), JSON.stringify(ability));
  return script;
}
