import type { AggregatedHookResult } from "@hookline/engine";
import type { Rewrite } from "@hookline/engine/program";
import type { JournalRecord, LogItem } from "@hookline/journal";
import { appliedRuns, decides, objectors } from "@hookline/journal/program";
import type { FiredHook } from "../fire/firedHook.ts";
import { whyOf } from "../journal/views/outcomes.ts";

/** The result of an event, as far as it is recorded and comparable. */
export interface Verdict {
  /** allow, ask, block or stop */
  readonly decision: string;
  /** The reason of the objection. */
  readonly reason: string | undefined;
  /** The hooks that objected. */
  readonly hooks: readonly string[];
  readonly rewrites: readonly Rewrite[];
  readonly failures: readonly HookNote[];
}

/** A fact about a hook that explains a decision. */
export interface HookNote {
  readonly hook: string;
  readonly what: string;
}

export function recordedVerdict(item: LogItem): Verdict {
  const { outcome, body } = item.record;
  const failed = appliedRuns(item).filter((run) => run.outcome === "failed");
  return {
    decision: outcome,
    reason: outcome === "allow" ? undefined : body.reason,
    hooks: namesOf(objectors(item)),
    rewrites: (body.rewrites ?? []).map(({ path, before, after, hook }) => ({ path, before, after, hook })),
    failures: failed.map((run) => ({ hook: run.hook ?? "", what: whyOf(run) ?? "failed" })),
  };
}

export function replayedVerdict({ finalOutput, rewrites }: AggregatedHookResult, hooks: readonly FiredHook[]): Verdict {
  const decision = finalOutput?.isBlockingDecision()
    ? "block"
    : finalOutput?.shouldStopExecution()
      ? "stop"
      : finalOutput?.isAskDecision()
        ? "ask"
        : "allow";
  const failed = hooks.flatMap(({ entry, outcome, failure }) =>
    outcome === "failed" && failure ? [{ hook: entry.config.name, what: failure.message }] : [],
  );
  return {
    decision,
    reason: decision === "allow" ? undefined : finalOutput?.getEffectiveReason(),
    hooks: unique(hooks.filter(({ outcome }) => decides(outcome, decision)).map(({ entry }) => entry.config.name)),
    rewrites,
    failures: failed,
  };
}

function namesOf(runs: readonly JournalRecord[]): readonly string[] {
  return unique(runs.map(({ hook }) => hook ?? ""));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
