import type { HookSignal } from "@hookline/engine";
import type { AbilityResult } from "../abilityResult.ts";
import type { Caller } from "../caller.ts";

export const TASK_STATUSES = [
  "created",
  "awaiting_human",
  "running",
  "success",
  "failure",
  "partial",
  "denied",
  "interrupted",
  "lapsed",
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export type AbilityInput = Readonly<Record<string, unknown>>;

/** What somebody asked for an ability by. */
export interface AbilityRef {
  readonly kind: "ability_id" | "operation_key";
  readonly value: string;
}

/** One question of hooks to a person. */
export interface Ask {
  readonly event: "PreAbilityCreate" | "PreAbilityCall";
  readonly hooks: readonly string[];
  readonly reason: string;
}

/** Who stands in the way of a task, and why; of a person, the name is their reason's author. */
export interface Objection {
  /** When it came: as the task was made, before a run, or from a person in between. */
  readonly at: "create" | "call" | "person";
  readonly code: string;
  readonly reason: string;
  readonly signals: readonly HookSignal[];
  /** The hooks that object or ask. */
  readonly hooks: readonly string[];
  /** What a person is shown, and answers with an approval. */
  readonly asks: readonly Ask[];
}

/** A person's yes to what hooks ask, for one run with this very input. */
export interface Approval {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** What it answers; any other ask needs another answer. */
  readonly asks: readonly Ask[];
  readonly signature: string;
}

/** Who runs it. While that process is alive, it moves the end of the lease. */
export interface Lease {
  readonly owner: string;
  readonly pid: number;
  readonly host: string;
  readonly expiresAt: number;
}

/** One piece of work that was asked for, as it stands in the store. */
export interface Task {
  readonly key: string;
  /** The identity of the project's folder that it was made for. */
  readonly root: string;
  readonly abilityId: string;
  readonly ref: AbilityRef;
  readonly input: AbilityInput;
  readonly environment: string | undefined;
  readonly status: TaskStatus;
  readonly caller: Caller;
  readonly createdAt: string;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** How often it was started. */
  readonly runs: number;
  readonly lease: Lease | undefined;
  readonly objection: Objection | undefined;
  readonly approval: Approval | undefined;
  /** Of its last run. */
  readonly result: AbilityResult | undefined;
}

/** What a task is made of. */
export interface NewTask extends Pick<Task, "abilityId" | "ref" | "input" | "environment" | "caller"> {
  /** Absent: it may be run. */
  readonly objection?: Objection;
}
