import type { StatePlace } from "@hookline/journal";
import { rootIdentity } from "@hookline/journal/program";
import { z } from "zod";
import { ProgramError } from "../../errors.ts";
import type { Executed } from "../abilityResult.ts";
import { type GivenApproval, isAnswered, signedApproval } from "./approval.ts";
import { cutResult } from "./cutResult.ts";
import { HOST, hasExpired, LEASE_MS } from "./lease.ts";
import { StoreConnection, type Value } from "./storeConnection.ts";
import { damaged, storeError } from "./storeError.ts";
import type { Ask, NewTask, Objection, Task, TaskStatus } from "./task.ts";
import { newTaskKey } from "./taskKey.ts";
import { readTask } from "./taskRow.ts";

const totals = z.tuple([z.object({ total: z.number() })]);

interface Listing {
  readonly status?: TaskStatus | undefined;
  readonly limit: number;
}

/**
 * The tasks of a project. Every change is one atomic statement that includes its conditions, so that of several processes one
 * succeeds and the others notice.
 */
export class TaskStore {
  readonly #connection: StoreConnection;

  /** Does not open the store yet. */
  constructor(place: StatePlace, onNotice: (text: string) => void = () => {}) {
    this.#connection = new StoreConnection(place, onNotice);
  }

  get path(): string {
    return this.#connection.path;
  }

  async create({ objection, ...facts }: NewTask): Promise<Task> {
    const { abilityId, ref, input, environment, caller } = facts;
    const status = objection ? "awaiting_human" : "created";
    const createdAt = now();
    const root = this.#around(() => rootIdentity(this.#connection.place.projectRoot));
    const values = [root, abilityId, json(ref), json(input), environment ?? null, status, json(caller), createdAt];
    for (;;) {
      const key = newTaskKey();
      const isNew = await this.#connection.change(
        `INSERT INTO tasks (key, root, ability_id, ref, input, environment, status, caller, created_at, objection)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        [key, ...values, objection ? json(objection) : null],
      );
      if (isNew) return { ...NEW, ...facts, key, root, status, createdAt, objection };
    }
  }

  /** Throws TASK_UNKNOWN. A task whose process has died counts as interrupted. */
  async get(key: string): Promise<Task> {
    const [task] = this.#connection.exists() ? await this.#read("SELECT * FROM tasks WHERE key = ?", [key]) : [];
    if (!task) throw new ProgramError({ code: "TASK_UNKNOWN", what: `There is no task "${key}" in this project.` });
    return this.#withoutDead(task);
  }

  /** Lists tasks, newest first. */
  async list({ status, limit }: Listing): Promise<{ readonly tasks: readonly Task[]; readonly total: number }> {
    if (!this.#connection.exists()) return { tasks: [], total: 0 };
    for (const task of await this.#read("SELECT * FROM tasks WHERE status = 'running'", []))
      await this.#withoutDead(task);
    const [which, values]: [string, Value[]] = status === undefined ? ["", []] : ["WHERE status = ?", [status]];
    const tasks = await this.#read(`SELECT * FROM tasks ${which} ORDER BY created_at DESC, rowid DESC LIMIT ?`, [
      ...values,
      limit,
    ]);
    const counted = await this.#connection.rows(`SELECT count(*) AS total FROM tasks ${which}`, values);
    return { tasks, total: totals.parse(counted)[0].total };
  }

  /** Claims the task for a run of this process and consumes its approval; undefined if the task has changed since it was read. */
  async claim(task: Task, owner: string): Promise<Task | undefined> {
    const startedAt = now();
    const lease = { owner, pid: process.pid, host: HOST, expiresAt: Date.now() + LEASE_MS };
    const isOurs = await this.#connection.change(
      `UPDATE tasks SET status = 'running', runs = runs + 1, started_at = ?, ended_at = NULL, owner = ?, pid = ?, host = ?,
         lease_until = ?, objection = NULL, approval = NULL, result = NULL
       WHERE key = ? AND status = ? AND runs = ?`,
      [startedAt, owner, lease.pid, lease.host, lease.expiresAt, task.key, task.status, task.runs],
    );
    return isOurs ? { ...NEW, ...asked(task), status: "running", runs: task.runs + 1, startedAt, lease } : undefined;
  }

  /** Renews the lease; false if another process has claimed the task. */
  heartbeat(key: string, owner: string): Promise<boolean> {
    return this.#connection.change(
      "UPDATE tasks SET lease_until = ?, status = 'running', ended_at = NULL WHERE key = ? AND owner = ?",
      [Date.now() + LEASE_MS, key, owner],
    );
  }

  /** Stores the result of a run, even if the task was marked as interrupted; undefined if it was started again. */
  async finish(claimed: Task, executed: Executed): Promise<Task | undefined> {
    const { status } = executed;
    const endedAt = now();
    const result = executed.status === "interrupted" ? undefined : cutResult(executed);
    const isKept = await this.#connection.change(
      `UPDATE tasks SET status = ?, result = ?, ended_at = ?, owner = NULL, pid = NULL, host = NULL, lease_until = NULL
       WHERE key = ? AND owner = ?`,
      [status, result ? json(result) : null, endedAt, claimed.key, claimed.lease?.owner ?? null],
    );
    return isKept ? { ...claimed, status, result, endedAt, lease: undefined } : undefined;
  }

  /** Stores an objection; undefined if the task has changed since it was read. */
  async object(task: Task, status: "denied" | "awaiting_human", objection: Objection): Promise<Task | undefined> {
    const isKept = await this.#connection.change(
      "UPDATE tasks SET status = ?, objection = ?, approval = NULL WHERE key = ? AND status = ? AND runs = ?",
      [status, json(objection), task.key, task.status, task.runs],
    );
    return isKept ? { ...task, status, objection, approval: undefined } : undefined;
  }

  /** Stores an approval for the next run; undefined if the task has changed since it was read. */
  async approve(task: Task, given: GivenApproval): Promise<Task | undefined> {
    const approval = this.#around(() => signedApproval(this.#connection.place.homeDir, task, given));
    const isKept = await this.#connection.change(
      "UPDATE tasks SET status = 'created', approval = ?, objection = NULL WHERE key = ? AND status = ? AND runs = ?",
      [json(approval), task.key, task.status, task.runs],
    );
    return isKept ? { ...task, status: "created", approval, objection: undefined } : undefined;
  }

  /** Whether an approval of this user covers this ask, for the next run of this task. */
  isAnswered(task: Task, ask: Ask): boolean {
    return this.#around(() => isAnswered(this.#connection.place.homeDir, task, ask));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #withoutDead(task: Task): Promise<Task> {
    const { lease } = task;
    if (task.status !== "running" || !lease || !hasExpired(lease, Date.now())) return task;
    await this.#connection.change(
      `UPDATE tasks SET status = 'interrupted', ended_at = ?
       WHERE key = ? AND status = 'running' AND owner = ? AND lease_until = ?`,
      [now(), task.key, lease.owner, lease.expiresAt],
    );
    return this.get(task.key); // the lease may have been renewed
  }

  /** Errors around the store, of the project folder or the user's key, make it unusable. */
  #around<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw storeError(this.path, error);
    }
  }

  async #read(sql: string, values: readonly Value[]): Promise<Task[]> {
    const rows = await this.#connection.rows(sql, values);
    try {
      return rows.map(readTask);
    } catch (cause) {
      throw damaged(this.path, cause);
    }
  }
}

/** The initial state of a task. */
const NEW = {
  startedAt: undefined,
  endedAt: undefined,
  runs: 0,
  lease: undefined,
  objection: undefined,
  approval: undefined,
  result: undefined,
};

/** The request of a task, without its state. */
function asked({ key, root, abilityId, ref, input, environment, caller, createdAt }: Task) {
  return { key, root, abilityId, ref, input, environment, caller, createdAt };
}

const json = (value: unknown): string => JSON.stringify(value);
const now = (): string => new Date().toISOString();
