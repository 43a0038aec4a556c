import type { Problem } from "@hookline/engine/program";
import type { FiredHook } from "../fire/firedHook.ts";
import { milliseconds } from "../fire/fireJson.ts";
import { hookOutcome, hookReason } from "./hookMismatches.ts";
import { totalsOf } from "./hooktestView.ts";
import type { Mismatch } from "./mismatch.ts";
import type { CaseResult, FileResult } from "./runHooktest.ts";

interface TestReport {
  readonly projectRoot: string;
  readonly results: readonly FileResult[];
  readonly notices: readonly string[];
  /** Problems that keep declared hooks from running. */
  readonly problems: readonly Problem[];
}

/** The JSON output of `hookline test`. */
export function hooktestJson({ projectRoot, results, notices, problems }: TestReport): unknown {
  return {
    projectRoot,
    ...totalsOf(results),
    files: results.map((result) => ({
      file: result.file,
      problems: result.problems,
      tests: result.cases.map(caseJson),
    })),
    notices,
    problems,
  };
}

function caseJson({ test, mismatches, hooks, durationMs }: CaseResult): unknown {
  return {
    name: test.name,
    event: test.event.name,
    where: test.place,
    passed: mismatches.length === 0,
    duration_ms: milliseconds(durationMs),
    mismatches: mismatches.map(mismatchJson),
    hooks: hooks.map(hookJson),
  };
}

function mismatchJson(mismatch: Mismatch): unknown {
  if (mismatch.kind === "fault") return { field: mismatch.field, fault: mismatch.what };
  const { field, how, expected, actual } = mismatch;
  return { field, how, expected: expected ?? null, actual: actual ?? null };
}

function hookJson(hook: FiredHook): unknown {
  const { entry, durationMs, stderr, notes } = hook;
  return {
    name: entry.config.name,
    outcome: hookOutcome(hook),
    reason: hookReason(hook) ?? null,
    duration_ms: milliseconds(durationMs),
    ...(stderr === "" ? {} : { stderr }),
    notes,
  };
}
