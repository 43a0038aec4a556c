import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "libsql";
import { describe, expect, onTestFinished, test } from "vitest";
import { type StatePlace, statePath } from "../../../journal/src/state/statePlace.ts";
import { assertRunnable } from "../../src/abilities/runnable.ts";
import { HOST } from "../../src/abilities/store/lease.ts";
import type { NewTask, Objection, Task } from "../../src/abilities/store/task.ts";
import { TaskStore } from "../../src/abilities/store/taskStore.ts";

const TASK: NewTask = {
  abilityId: "greet",
  ref: { kind: "ability_id", value: "greet" },
  input: { name: "you", __proto__: 1 },
  environment: undefined,
  caller: { source: "manual_cli", triggered_by: "kim" },
};
const ASKED: Objection = {
  at: "create",
  code: "ABILITY_REQUIRES_HUMAN",
  reason: "sure?",
  signals: [],
  hooks: ["asker"],
  asks: [{ event: "PreAbilityCreate", hooks: ["asker"], reason: "sure?" }],
};
const DONE = { status: "success" as const, output: { n: 1 }, changedFiles: ["a.txt"], durationMs: 5 };

function project(): StatePlace {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-task-store-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const place = { projectRoot: join(dir, "project"), homeDir: join(dir, "home") };
  for (const folder of Object.values(place)) mkdirSync(folder);
  return place;
}

const fileOf = (place: StatePlace) => join(statePath(place), "tasks.db");

function storeIn(place = project()): TaskStore {
  const store = new TaskStore(place);
  onTestFinished(() => store.close());
  return store;
}

async function claim(store: TaskStore, task: Task, owner: string): Promise<Task> {
  const claimed = await store.claim(task, owner);
  if (!claimed) throw new Error("It is another's");
  return claimed;
}

/** A second way in, past the store. */
function database(place: StatePlace): Database.Database {
  const db = new Database(fileOf(place));
  onTestFinished(() => void db.close());
  return db;
}

test("a task is kept whole, and another process finds it", async () => {
  const dir = project();
  const made = await storeIn(dir).create(TASK);
  expect(made).toMatchObject({ ...TASK, status: "created", runs: 0, result: undefined, lease: undefined });
  expect(made.key).toMatch(/^t-[a-z0-9]{10}$/);
  expect(await storeIn(dir).get(made.key)).toEqual(made);
});

test("the life of a task: claimed by one, kept alive, finished", async () => {
  const store = storeIn();
  const made = await store.create(TASK);
  const claimed = await claim(store, made, "me");
  expect(claimed).toMatchObject({ status: "running", runs: 1, lease: { owner: "me", pid: process.pid } });
  expect(await store.get(made.key)).toEqual(claimed);
  expect(await store.claim(made, "other")).toBeUndefined();
  expect(await store.heartbeat(made.key, "other")).toBe(false);
  expect(await store.heartbeat(made.key, "me")).toBe(true);
  expect((await store.get(made.key)).lease?.expiresAt).toBeGreaterThanOrEqual(claimed.lease?.expiresAt ?? 0);
  const done = await store.finish(claimed, DONE);
  expect(done).toMatchObject({ status: "success", result: DONE, lease: undefined });
  expect(await store.get(made.key)).toEqual(done);
  expect(await store.finish(claimed, DONE)).toBeUndefined();
});

test("a task whose process is gone is reported as interrupted; one whose process lives is not", async () => {
  const dir = project();
  const store = storeIn(dir);
  const [dead, alive, silent, far] = [
    await store.create(TASK),
    await store.create(TASK),
    await store.create(TASK),
    await store.create(TASK),
  ];
  for (const task of [dead, alive, silent, far]) await store.claim(task, `owner of ${task.key}`);
  const db = database(dir);
  db.prepare("UPDATE tasks SET pid = ? WHERE key = ?").run(2 ** 22 + 1, dead.key); // no system gives such an id
  db.prepare("UPDATE tasks SET lease_until = ? WHERE key = ?").run(Date.now() - 1, silent.key);
  db.prepare("UPDATE tasks SET pid = ?, host = ? WHERE key = ?").run(2 ** 22 + 1, "another host", far.key);
  expect((await store.get(dead.key)).status).toBe("interrupted");
  const { tasks, total } = await store.list({ limit: 10 });
  expect(Object.fromEntries(tasks.map(({ key, status }) => [key, status]))).toEqual({
    [dead.key]: "interrupted",
    [alive.key]: "running",
    [silent.key]: "interrupted",
    [far.key]: "running",
  });
  expect(total).toBe(4);
  expect(await store.list({ status: "interrupted", limit: 1 })).toMatchObject({ total: 2 });
  expect(HOST).toContain(hostname());
});

test("what a run achieved counts, also where somebody took it for interrupted; not after it was started anew", async () => {
  const dir = project();
  const store = storeIn(dir);
  const slow = await claim(store, await store.create(TASK), "slow");
  database(dir).prepare("UPDATE tasks SET lease_until = 1").run();
  expect((await store.get(slow.key)).status).toBe("interrupted");
  expect(await store.finish(slow, DONE)).toMatchObject({ status: "success" });
  expect(await claim(store, await store.get(slow.key), "second")).toMatchObject({ status: "running", runs: 2 });
  expect(await store.finish(slow, DONE)).toBeUndefined();
});

test("a question is kept with its reason, an approval with what it answers, and a claim uses it up", async () => {
  const store = storeIn();
  const waiting = await store.create({ ...TASK, objection: ASKED });
  expect(waiting).toMatchObject({ status: "awaiting_human", objection: ASKED });
  const given = { by: "kim", at: "now", reason: "" };
  const approved = await store.approve(waiting, given);
  expect(approved).toMatchObject({
    status: "created",
    approval: { ...given, asks: ASKED.asks, signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
    objection: undefined,
  });
  expect(await store.approve(waiting, given)).toBeUndefined(); // it is not any more what it was
  expect(await store.get(waiting.key)).toEqual(approved);
  expect(await claim(store, await store.get(waiting.key), "me")).toMatchObject({ approval: undefined });
});

describe("an approval", () => {
  const [ASK = { event: "PreAbilityCreate" as const, hooks: [], reason: "" }] = ASKED.asks;

  async function approved(place: StatePlace): Promise<Task> {
    const store = storeIn(place);
    const waiting = await store.create({ ...TASK, objection: ASKED });
    const task = await store.approve(waiting, { by: "kim", at: "now", reason: "" });
    if (!task) throw new Error("It is another's");
    return task;
  }

  test("answers the ask that was shown, and no other", async () => {
    const place = project();
    const task = await approved(place);
    const store = storeIn(place);
    expect(store.isAnswered(task, ASK)).toBe(true);
    expect(store.isAnswered(task, { ...ASK, reason: "sure??" })).toBe(false);
    expect(store.isAnswered(task, { ...ASK, hooks: ["asker", "other"] })).toBe(false);
    expect(store.isAnswered(task, { ...ASK, event: "PreAbilityCall" })).toBe(false);
  });

  test.each<[string, string]>([
    ["of another input", `UPDATE tasks SET input = '{"name":"other"}'`],
    ["of another ability", "UPDATE tasks SET ability_id = 'other'"],
    ["in another environment", "UPDATE tasks SET environment = 'prod'"],
    [
      "of more asks",
      `UPDATE tasks SET approval = json_set(approval, '$.asks[1]', json_object('event', 'PreAbilityCall', 'hooks', json_array('x'), 'reason', 'r'))`,
    ],
    ["with a made-up signature", "UPDATE tasks SET approval = json_set(approval, '$.signature', hex(zeroblob(32)))"],
  ])("%s is not an answer", async (_, sql) => {
    const place = project();
    const { key } = await approved(place);
    database(place).exec(sql);
    const store = storeIn(place);
    expect(store.isAnswered(await store.get(key), ASK)).toBe(false);
  });

  test("that another user's key signed is not an answer", async () => {
    const place = project();
    const task = await approved(place);
    rmSync(join(place.homeDir, ".hookline/key"));
    expect(storeIn(place).isAnswered(task, ASK)).toBe(false);
  });

  test("and open tasks lapse where another folder comes to lie at the same path, and it is said", async () => {
    const place = project();
    const { key } = await approved(place);
    const waiting = await storeIn(place).create({ ...TASK, objection: ASKED });
    const done = await claim(storeIn(place), await storeIn(place).create(TASK), "me");
    await storeIn(place).finish(done, DONE);
    renameSync(place.projectRoot, `${place.projectRoot}.old`);
    mkdirSync(place.projectRoot);
    const told: string[] = [];
    const store = new TaskStore(place, (text) => told.push(text));
    onTestFinished(() => store.close());
    expect(await store.get(key)).toMatchObject({ status: "lapsed", approval: undefined });
    expect(await store.get(waiting.key)).toMatchObject({ status: "lapsed" });
    expect(await store.get(done.key)).toMatchObject({ status: "success" });
    expect(told).toEqual([expect.stringContaining("2 open tasks lapsed")]);
    expect(() => assertRunnable({ ...waiting, status: "lapsed" }, true)).toThrow("lapsed");
  });
});

test("a long output is kept in part", async () => {
  const store = storeIn();
  const claimed = await claim(store, await store.create(TASK), "me");
  const kept = await store.finish(claimed, { ...DONE, output: "x".repeat(1_000_000) });
  expect(String(kept?.result?.output)).toMatch(/^x{262144}… \(1000000 characters\)$/);
});

describe("the file", () => {
  test("is its owner's only, and nothing is written into the project", async () => {
    const dir = project();
    await storeIn(dir).create(TASK);
    expect(lstatSync(fileOf(dir)).mode & 0o777).toBe(0o600);
    expect(lstatSync(statePath(dir)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dir.projectRoot)).toEqual([]);
  });

  test("is not made for somebody who only looks", async () => {
    const dir = project();
    expect(await storeIn(dir).list({ limit: 10 })).toEqual({ tasks: [], total: 0 });
    await expect(storeIn(dir).get("t-none")).rejects.toMatchObject({ code: "TASK_UNKNOWN" });
    expect(readdirSync(dir.homeDir)).toEqual([]);
  });
});

describe("a store that cannot be used is named, with what is wrong, and nothing is written:", () => {
  const unusable = (what: RegExp) =>
    expect.objectContaining({ code: "STORE_UNUSABLE", what: expect.stringMatching(what) });

  test("damaged", async () => {
    const dir = project();
    mkdirSync(statePath(dir), { recursive: true });
    const rubbish = "no database, certainly".repeat(200);
    writeFileSync(fileOf(dir), rubbish);
    await expect(storeIn(dir).create(TASK)).rejects.toEqual(unusable(/is not a task store, or is damaged/));
    expect(readFileSync(fileOf(dir), "utf8")).toBe(rubbish);
  });

  test("damaged in the middle", async () => {
    const dir = project();
    const store = storeIn(dir);
    for (let nth = 0; nth < 50; nth++) await store.create(TASK);
    await store.close();
    database(dir).prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
    const file = fileOf(dir);
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);
    await expect(storeIn(dir).list({ limit: 100 })).rejects.toEqual(unusable(/damaged/));
    await expect(storeIn(dir).create(TASK)).rejects.toMatchObject({ code: "STORE_UNUSABLE" });
  });

  test("with a task that makes no sense", async () => {
    const dir = project();
    const { key } = await storeIn(dir).create(TASK);
    database(dir).prepare("UPDATE tasks SET input = '[]'").run();
    await expect(storeIn(dir).get(key)).rejects.toEqual(unusable(/a task in the store cannot be read/i));
  });

  test("of a newer hookline", async () => {
    const dir = project();
    await storeIn(dir).create(TASK);
    database(dir).exec("PRAGMA user_version = 9");
    await expect(storeIn(dir).create(TASK)).rejects.toEqual(unusable(/newer hookline \(schema 9/));
  });

  test("full", async () => {
    const dir = project();
    const store = storeIn(dir);
    const { key } = await store.create(TASK);
    await store.close();
    const full = await smallStore(dir);
    await expect(full.create({ ...TASK, input: { text: "x".repeat(200_000) } })).rejects.toEqual(
      unusable(/no space left/),
    );
    expect(await full.list({ limit: 10 })).toMatchObject({ total: 1, tasks: [{ key }] });
  });

  test("locked for too long", { timeout: 60_000 }, async () => {
    const dir = project();
    const store = storeIn(dir);
    await store.create(TASK);
    const db = database(dir);
    db.exec("BEGIN IMMEDIATE");
    await expect(store.create(TASK)).rejects.toEqual(unusable(/another process has locked/i));
    db.exec("ROLLBACK");
    await store.create(TASK); // and it is well again
    expect(await store.list({ limit: 10 })).toMatchObject({ total: 2 });
  });

  test("in a folder that is a link to another place", async () => {
    const [dir, other] = [project(), project()];
    mkdirSync(dirname(statePath(dir)), { recursive: true });
    symlinkSync(other.homeDir, statePath(dir));
    await expect(storeIn(dir).create(TASK)).rejects.toEqual(unusable(/folder is a symbolic link/));
    expect(readdirSync(other.homeDir)).toEqual([]);
  });

  test("itself a link, a folder, or a second name of another file", async () => {
    const [dir, second, third] = [project(), project(), project()];
    for (const one of [dir, second, third]) mkdirSync(statePath(one), { recursive: true });
    symlinkSync("/dev/null", fileOf(dir));
    await expect(storeIn(dir).create(TASK)).rejects.toEqual(unusable(/not a regular file/i));
    mkdirSync(fileOf(second));
    await expect(storeIn(second).list({ limit: 1 })).rejects.toEqual(unusable(/not a regular file/i));
    writeFileSync(join(third.homeDir, "private"), "");
    linkSync(join(third.homeDir, "private"), fileOf(third));
    await expect(storeIn(third).create(TASK)).rejects.toEqual(unusable(/another hard link elsewhere/));
  });

  test("below a home that cannot hold it", async () => {
    const dir = project();
    await expect(storeIn({ ...dir, homeDir: join(dir.homeDir, "none") }).create(TASK)).rejects.toMatchObject({
      code: "STORE_UNUSABLE",
    });
  });
});

/** A store whose file may not grow: `max_page_count` is kept by a connection, so it is set on the store's own. */
async function smallStore(dir: StatePlace): Promise<TaskStore> {
  const { prototype } = Database;
  const exec = prototype.exec;
  onTestFinished(() => {
    prototype.exec = exec;
  });
  prototype.exec = function (this: Database.Database, sql: string) {
    const result = exec.call(this, sql);
    if (sql.includes("synchronous")) exec.call(this, "PRAGMA max_page_count = 1");
    return result;
  };
  const store = storeIn(dir);
  await store.list({ limit: 1 });
  return store;
}
