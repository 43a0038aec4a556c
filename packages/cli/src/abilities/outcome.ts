import type { HookSignal } from "@hookline/engine";
import type { AbilityResult } from "./abilityResult.ts";
import type { Task } from "./store/task.ts";

/** The refusal of a task or run, by hooks or by a person. */
export interface Refusal {
  /** `ABILITY_UNAVAILABLE`, `ABILITY_DENIED` or `ABILITY_REQUIRES_HUMAN`. */
  readonly code: string;
  readonly reason: string;
  readonly signals: readonly HookSignal[];
  /** The hooks that object or ask; empty if the refusal is not from a hook. */
  readonly hooks: readonly string[];
}

/** The result of `task.create`. */
export type CreateOutcome =
  | { readonly kind: "created"; readonly task: Task; readonly signals: readonly HookSignal[] }
  /** The task is stored; `task approve` lets it run. */
  | ({ readonly kind: "awaitingHuman"; readonly task: Task } & Refusal)
  /** No task was stored. */
  | ({ readonly kind: "unavailable" } & Refusal);

/** The result of a run; `task` is present for the run of a task. */
export type RunOutcome =
  | ({ readonly kind: "ran"; readonly signals: readonly HookSignal[]; readonly task?: Task } & AbilityResult)
  | ({ readonly kind: "denied"; readonly task?: Task } & Refusal)
  | ({ readonly kind: "awaitingHuman"; readonly task?: Task } & Refusal)
  /** The caller aborted the run. */
  | { readonly kind: "interrupted"; readonly task?: Task };
