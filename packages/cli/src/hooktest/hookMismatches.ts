import { answeredDecision } from "@hookline/engine/program";
import type { FiredHook } from "../fire/firedHook.ts";
import type { Expected, HookOutcome } from "./hooktestSchema.ts";
import { type Mismatch, textMismatch } from "./mismatch.ts";

/** Compares single hooks. If several share a name, one of them must be as expected. */
export function hookMismatches(
  expected: NonNullable<Expected["hooks"]>,
  hooks: readonly FiredHook[],
): readonly Mismatch[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const { outcome, reason } = typeof wanted === "string" ? { outcome: wanted, reason: undefined } : wanted;
    const bearers = hooks.filter(({ entry }) => entry.config.name === name);
    const candidates = bearers.length === 0 ? [undefined] : bearers;
    const found = candidates.map((hook) => mismatches(`hooks.${name}`, hook, outcome, reason));
    return found.find((list) => list.length === 0) ?? found[0] ?? [];
  });
}

function mismatches(
  field: string,
  hook: FiredHook | undefined,
  expected: HookOutcome,
  reason: string | undefined,
): readonly Mismatch[] {
  const actual = hookOutcome(hook);
  const wrong: readonly Mismatch[] =
    actual === expected ? [] : [{ kind: "differs", field, how: "equals", expected, actual }];
  return [...wrong, ...textMismatch(`${field}.reason`, reason, hookReason(hook))];
}

/** For a hook that observes, its own answer, although that decides nothing. */
export function hookOutcome(hook: FiredHook | undefined): HookOutcome {
  if (hook === undefined) return "not-run";
  const { outcome, answer } = hook;
  return outcome === "observed" ? answeredDecision(answer) : outcome;
}

/** The reason that the hook gave, or why it failed or was skipped. */
export function hookReason(hook: FiredHook | undefined): string | undefined {
  if (hook === undefined) return undefined;
  const { answer, failure, skipped } = hook;
  const said = [...(answer?.stopReasons ?? []), ...(answer?.reasons ?? [])];
  const texts = [skipped, failure?.message, ...new Set(said)].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join("\n");
}
