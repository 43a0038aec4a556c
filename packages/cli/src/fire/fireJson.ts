import { type Problem, takesEffect } from "@hookline/engine/program";
import type { FiredHook } from "./firedHook.ts";
import type { Fired } from "./fireEvent.ts";

interface FireReport {
  readonly name: string;
  readonly subject: string | undefined;
  readonly fired: Fired;
  /** Problems that keep declared hooks from running. */
  readonly problems: readonly Problem[];
}

/** The JSON output of `fire`. */
export function fireJson({ name, subject, fired: { result, decisions, hooks }, problems }: FireReport): unknown {
  const [decision = "allow"] = decisions;
  return {
    event: name,
    subject: subject ?? null,
    hooks: hooks.map(hookJson),
    decision,
    reason: decision === "allow" ? null : (result.finalOutput?.getEffectiveReason() ?? null),
    output: result.finalOutput ?? null,
    rewrites: result.rewrites.map(({ path, before, after, hook }) => ({
      path: path.join("."),
      before: before ?? null,
      after,
      hook,
    })),
    success: result.success,
    duration_ms: milliseconds(result.totalDuration),
    problems,
  };
}

function hookJson({ entry, outcome, durationMs, answer, failure, notes, stderr, skipped }: FiredHook): unknown {
  const { name, place } = entry.config;
  return {
    name,
    layer: entry.source,
    source: place,
    outcome,
    counts: takesEffect(entry.config),
    ...(skipped === undefined ? { duration_ms: milliseconds(durationMs) } : { skipped }),
    ...(failure === undefined ? {} : { failure }),
    ...(answer === undefined ? {} : { answer }),
    ...(stderr === "" ? {} : { stderr }),
    notes,
  };
}

export const milliseconds = (ms: number) => Math.round(ms * 10) / 10;
