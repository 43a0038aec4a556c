import { errorText, type Fields, isFields } from "@hookline/engine/program";
import type { Fired } from "../fire/fireEvent.ts";
import { readCaseFile } from "./caseFiles.ts";
import { nested } from "./fields.ts";
import { hookMismatches } from "./hookMismatches.ts";
import type { Expected } from "./hooktestSchema.ts";
import { type Mismatch, textMismatch } from "./mismatch.ts";

/** The result of a case. */
export interface Happened {
  readonly fired: Fired;
  readonly input: Fields;
  /** The folder of its files. */
  readonly root: string;
}

/** Compares only what the test names. */
export function compare(expected: Expected, { fired, input, root }: Happened): readonly Mismatch[] {
  const { result, decisions, hooks } = fired;
  const output = result.finalOutput;
  const reason = decisions.includes("allow") ? undefined : output?.getEffectiveReason();
  return [
    ...faults(fired),
    ...decisionMismatch(expected.decision, decisions),
    ...textMismatch("reason", expected.reason, reason),
    ...fieldMismatches("rewrite", nested(expected.rewrite ?? {}), rewritten(input, fired)),
    ...textMismatch("context", expected.context, output?.getAdditionalContext()),
    ...textMismatch("message", expected.message, output?.systemMessage),
    ...signalMismatches(expected.signals, output?.hook_signals ?? []),
    ...fileMismatches(expected.files ?? {}, root),
    ...hookMismatches(expected.hooks ?? {}, hooks),
  ];
}

/** An error without a hook concerns the event: nothing was decided. */
function faults({ result }: Fired): readonly Mismatch[] {
  return result.errors.flatMap(({ hook, message }): Mismatch[] =>
    hook === undefined ? [{ kind: "fault", field: "event", what: message }] : [],
  );
}

function decisionMismatch(expected: Expected["decision"], decisions: Fired["decisions"]): readonly Mismatch[] {
  if (expected === undefined || decisions.includes(expected)) return [];
  return [{ kind: "differs", field: "decision", how: "equals", expected, actual: decisions.join(" and ") }];
}

/** The input after all rewrites. */
function rewritten(input: Fields, { result: { rewrites, finalOutput } }: Fired): Fields {
  const changed = new Set(rewrites.map(({ path: [field] }) => field));
  const all = Object.entries(finalOutput?.hookSpecificOutput ?? {});
  return { ...input, ...Object.fromEntries(all.filter(([field]) => changed.has(field))) };
}

/** Compares mappings by the expected keys, lists item by item, and other values for equality. */
function fieldMismatches(path: string, expected: unknown, actual: unknown): readonly Mismatch[] {
  if (isFields(expected) && isFields(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      fieldMismatches(`${path}.${key}`, value, Object.hasOwn(actual, key) ? actual[key] : undefined),
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => fieldMismatches(`${path}.${index}`, item, actual[index]));
  }
  const isSame = JSON.stringify(expected) === JSON.stringify(actual);
  return isSame ? [] : [{ kind: "differs", field: path, how: "equals", expected, actual }];
}

function signalMismatches(expected: readonly Fields[] | undefined, came: readonly unknown[]): readonly Mismatch[] {
  if (expected === undefined) return [];
  if (expected.length === 0 && came.length > 0) {
    return [{ kind: "differs", field: "signals", how: "equals", expected: [], actual: came }];
  }
  return expected.flatMap((signal, index): readonly Mismatch[] => {
    if (came.some((one) => isFields(one) && fieldMismatches("", signal, one).length === 0)) return [];
    const actual = came.length === 0 ? undefined : came;
    return [{ kind: "differs", field: `signals.${index}`, how: "contains", expected: signal, actual }];
  });
}

function fileMismatches(expected: NonNullable<Expected["files"]>, root: string): readonly Mismatch[] {
  return Object.entries(expected).flatMap(([path, text]): readonly Mismatch[] => {
    const field = `files.${path}`;
    try {
      const actual = readCaseFile(root, path);
      if (text === null)
        return actual === undefined ? [] : [{ kind: "differs", field, how: "equals", expected: undefined, actual }];
      if (actual?.includes(text)) return [];
      return [{ kind: "differs", field, how: "contains", expected: text, actual }];
    } catch (error) {
      return [{ kind: "fault", field, what: errorText(error) }];
    }
  });
}
