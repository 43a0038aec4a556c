import type { HookRecord } from "@hookline/engine";
import {
  type Answer,
  answeredDecision,
  type Decision,
  type Ending,
  type Failure,
  type HookRegistryEntry,
  takesEffect,
} from "@hookline/engine/program";

export type Outcome = Decision | "failed" | "skipped" | "observed";

/** One hook of a fired event, with all its runs combined. */
export interface FiredHook {
  readonly entry: HookRegistryEntry;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly answer: Answer | undefined;
  readonly failure: Failure | undefined;
  readonly notes: readonly string[];
  readonly stderr: string;
  /** Why the hook did not run. */
  readonly skipped: string | undefined;
}

interface Ended {
  readonly ending: Ending;
  readonly failure: Failure | undefined;
  readonly answer: Answer | undefined;
  readonly notes: readonly string[];
}

export function firedHook(entry: HookRegistryEntry, ended: Ended, durationMs: number): FiredHook {
  const { ending, failure, answer, notes } = ended;
  const stderr = "stderr" in ending ? ending.stderr.trim() : "";
  return { entry, outcome: outcomeOf(entry, ended), durationMs, answer, failure, notes, stderr, skipped: undefined };
}

export function skippedHook({ hook: entry, reason }: Extract<HookRecord, { kind: "hookSkipped" }>): FiredHook {
  const nothing = { durationMs: 0, answer: undefined, failure: undefined, notes: [], stderr: "" };
  return { entry, outcome: "skipped", skipped: reason, ...nothing };
}

/** The answer of an observing hook has no effect. */
function outcomeOf({ config }: HookRegistryEntry, { answer, failure }: Ended): Outcome {
  const decision = answeredDecision(answer);
  const counts = takesEffect(config);
  if (counts && (decision === "block" || decision === "stop")) return decision;
  if (failure) return "failed";
  return counts ? decision : "observed";
}
