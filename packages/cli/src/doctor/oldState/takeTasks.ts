import type { StatePlace } from "@hookline/journal";
import { formFault } from "@hookline/journal/program";
import type { Database } from "libsql";
import { z } from "zod";
import { SOURCES } from "../../abilities/caller.ts";
import type { NewTask, Objection } from "../../abilities/store/task.ts";
import { TaskStore } from "../../abilities/store/taskStore.ts";

const STATUSES = "'created', 'awaiting_human', 'running', 'success', 'failure', 'partial', 'denied', 'interrupted'";

/** The schema of the first version. */
const FIRST_SCHEMA = `
  CREATE TABLE tasks (
    key TEXT PRIMARY KEY,
    ability_id TEXT NOT NULL,
    ref TEXT NOT NULL,
    input TEXT NOT NULL,
    environment TEXT,
    status TEXT NOT NULL CHECK (status IN (${STATUSES})),
    caller TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT,
    runs INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    pid INTEGER,
    host TEXT,
    lease_until INTEGER,
    objection TEXT,
    approval TEXT,
    result TEXT
  ) STRICT;
  CREATE INDEX tasks_by_status ON tasks (status, created_at);
  CREATE INDEX tasks_by_age ON tasks (created_at);
`;
const MOST_TASKS = 10_000;

const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);

const row = z.object({
  ability_id: z.string(),
  ref: json(z.object({ kind: z.enum(["ability_id", "operation_key"]), value: z.string() })),
  input: json(z.record(z.string(), z.unknown())),
  environment: z.string().nullable(),
  caller: json(z.object({ source: z.enum(SOURCES) })),
  objection: z
    .union([
      json(z.object({ at: z.enum(["create", "call", "person"]), reason: z.string(), hooks: z.array(z.string()) })),
      z.null(),
    ])
    .optional(),
});

/** Imports open tasks as new ones, without approvals: hooks ask again. */
export async function takeTasks(old: Database, place: StatePlace): Promise<number> {
  const fault = formFault(old, [FIRST_SCHEMA]);
  if (fault !== undefined) throw new Error(fault);
  const sql = "SELECT * FROM tasks WHERE status IN ('created', 'awaiting_human') ORDER BY created_at LIMIT ?";
  const tasks = old
    .prepare(sql)
    .all([MOST_TASKS])
    .flatMap((given: unknown) => newTask(given) ?? []);
  const store = new TaskStore(place);
  try {
    for (const task of tasks) await store.create(task);
  } finally {
    await store.close();
  }
  return tasks.length;
}

function newTask(given: unknown): NewTask | undefined {
  try {
    const { ability_id: abilityId, ref, input, environment, caller, objection } = row.parse(given);
    const facts = { abilityId, ref, input, environment: environment ?? undefined, caller };
    return objection?.at === "create" ? { ...facts, objection: askedAgain(objection) } : facts;
  } catch {
    return undefined; // not a task of ours
  }
}

function askedAgain({ reason, hooks }: { readonly reason: string; readonly hooks: readonly string[] }): Objection {
  const asks = [{ event: "PreAbilityCreate" as const, hooks, reason }];
  return { at: "create", code: "ABILITY_REQUIRES_HUMAN", reason, signals: [], hooks, asks };
}
