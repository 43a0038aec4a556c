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

/** The name that a caller used for an ability. */
export interface AbilityRef {
  readonly kind: "ability_id" | "operation_key";
  readonly value: string;
}

/** A question of hooks to a person. */
export interface Ask {
  readonly event: "PreAbilityCreate" | "PreAbilityCall";
  readonly hooks: readonly string[];
  readonly reason: string;
}

/** The objection to a task, by hooks or by a person. */
export interface Objection {
  /** The origin: at creation, before a run, or from a person. */
  readonly at: "create" | "call" | "person";
  readonly code: string;
  readonly reason: string;
  readonly signals: readonly HookSignal[];
  /** The hooks that object or ask. */
  readonly hooks: readonly string[];
  /** The questions that a person sees and answers with an approval. */
  readonly asks: readonly Ask[];
}

/** A person's approval of the asks of hooks, for one run with this input. */
export interface Approval {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** The asks that it answers; any other ask needs another approval. */
  readonly asks: readonly Ask[];
  readonly signature: string;
}

/** The process that runs a task. It renews the lease while it is alive. */
export interface Lease {
  readonly owner: string;
  readonly pid: number;
  readonly host: string;
  readonly expiresAt: number;
}

/** A task in the store: a request to run an ability. */
export interface Task {
  readonly key: string;
  /** The identity of the project folder that it was created for. */
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
  /** Number of starts. */
  readonly runs: number;
  readonly lease: Lease | undefined;
  readonly objection: Objection | undefined;
  readonly approval: Approval | undefined;
  /** The result of its last run. */
  readonly result: AbilityResult | undefined;
}

/** The fields of a new task. */
export interface NewTask extends Pick<Task, "abilityId" | "ref" | "input" | "environment" | "caller"> {
  /** Absent: it may run. */
  readonly objection?: Objection;
}
