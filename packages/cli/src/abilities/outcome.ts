import type { HookSignal } from "@hookline/engine";
import type { AbilityResult } from "./abilityResult.ts";
import type { Task } from "./store/task.ts";

/** What hooks, or a person, had against it. */
export interface Refusal {
  /** `ABILITY_UNAVAILABLE`, `ABILITY_DENIED` or `ABILITY_REQUIRES_HUMAN`. */
  readonly code: string;
  readonly reason: string;
  readonly signals: readonly HookSignal[];
  /** The hooks that object or ask; none where it is not a hook's refusal. */
  readonly hooks: readonly string[];
}

/** What came of `task.create`. */
export type CreateOutcome =
  | { readonly kind: "created"; readonly task: Task; readonly signals: readonly HookSignal[] }
  /** The task is kept; `task approve` lets it run. */
  | ({ readonly kind: "awaitingHuman"; readonly task: Task } & Refusal)
  /** There is no task. */
  | ({ readonly kind: "unavailable" } & Refusal);

/** What came of a run; `task` is there if it was the run of one. */
export type RunOutcome =
  | ({ readonly kind: "ran"; readonly signals: readonly HookSignal[]; readonly task?: Task } & AbilityResult)
  | ({ readonly kind: "denied"; readonly task?: Task } & Refusal)
  | ({ readonly kind: "awaitingHuman"; readonly task?: Task } & Refusal)
  /** The caller gave up while it ran. */
  | { readonly kind: "interrupted"; readonly task?: Task };
