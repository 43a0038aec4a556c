import { z } from "zod";
import { SOURCES } from "../caller.ts";
import { TASK_STATUSES, type Task } from "./task.ts";

const signal = z.looseObject({
  source_event: z.string(),
  hook_id: z.string(),
  kind: z.string(),
  code: z.string(),
  // Absent in JSON if the hook sent none.
  payload: z.unknown().default(undefined),
});

/** A column with JSON; an invalid value means a damaged store. */
function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}

const asks = z.array(
  z.object({ event: z.enum(["PreAbilityCreate", "PreAbilityCall"]), hooks: z.array(z.string()), reason: z.string() }),
);

const absent = z.null().transform(() => undefined);
const text = z.union([z.string(), absent]);

const row = z.object({
  key: z.string(),
  root: z.string(),
  ability_id: z.string(),
  ref: json(z.object({ kind: z.enum(["ability_id", "operation_key"]), value: z.string() })),
  input: json(z.record(z.string(), z.unknown())),
  environment: text,
  status: z.enum(TASK_STATUSES),
  caller: json(
    z.object({
      source: z.enum(SOURCES),
      session_id: z.string().exactOptional(),
      job_id: z.string().exactOptional(),
      triggered_by: z.string().exactOptional(),
    }),
  ),
  created_at: z.string(),
  started_at: text,
  ended_at: text,
  runs: z.number(),
  owner: text,
  pid: z.union([z.number(), absent]),
  host: text,
  lease_until: z.union([z.number(), absent]),
  objection: z.union([
    json(
      z.object({
        at: z.enum(["create", "call", "person"]),
        code: z.string(),
        reason: z.string(),
        signals: z.array(signal),
        hooks: z.array(z.string()),
        asks,
      }),
    ),
    absent,
  ]),
  approval: z.union([
    json(z.object({ by: z.string(), at: z.string(), reason: z.string(), asks, signature: z.string() })),
    absent,
  ]),
  result: z.union([
    json(
      z.object({
        status: z.enum(["success", "partial", "failure"]),
        output: z.unknown(),
        changedFiles: z.array(z.string()),
        durationMs: z.number(),
        error: z.string().exactOptional(),
      }),
    ),
    absent,
  ]),
});

/** Converts a row of the store to a task. */
export function readTask(given: unknown): Task {
  const { ability_id, created_at, started_at, ended_at, owner, pid, host, lease_until, ...rest } = row.parse(given);
  const isLeased = owner !== undefined && pid !== undefined && host !== undefined && lease_until !== undefined;
  return {
    ...rest,
    abilityId: ability_id,
    createdAt: created_at,
    startedAt: started_at,
    endedAt: ended_at,
    lease: isLeased ? { owner, pid, host, expiresAt: lease_until } : undefined,
  };
}
