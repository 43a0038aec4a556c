import { type Answer, objects } from "../answer/answer.ts";
import type { Merge, Merged } from "./merged.ts";

/** Blocks and stops add up; an ask counts only without them; every objector is quoted, in plan order; every context survives. */
export const strictest: Merge = (answers, { sequential }) => {
  const [only] = answers;
  if (only && answers.length === 1) return alone(only);
  const blocks = answers.some((answer) => answer.blocks);
  const stops = answers.some((answer) => answer.stops);
  return {
    blocks,
    stops,
    asks: !blocks && !stops && answers.some((answer) => answer.asks),
    allows: answers.some((answer) => answer.allows) && !answers.some(objects),
    stopReasons: answers.flatMap(stopReasonsOf),
    reasons: answers.filter(objects).flatMap((answer) => answer.reasons),
    messages: answers.flatMap((answer) => answer.messages),
    contexts: answers.flatMap((answer) => answer.contexts),
    suppressOutput: answers.some((answer) => answer.suppressOutput),
    specific: mergeSpecific(answers, sequential),
    signals: answers.flatMap((answer) => answer.signals),
    logs: answers.flatMap((answer) => answer.logs),
  };
};

/** A stop with only a `reason` is quoted too, next to another hook's `stopReason`. */
function stopReasonsOf({ stops, stopReasons, reasons }: Answer): readonly string[] {
  return stopReasons.length > 0 || !stops ? stopReasons : reasons;
}

/** The same rule for a single answer, the usual case, without lists. */
function alone(answer: Answer): Merged {
  if (!objects(answer)) return answer.reasons.length === 0 ? answer : { ...answer, reasons: [] };
  return { ...answer, asks: answer.asks && !answer.blocks && !answer.stops, allows: false };
}

/** For the same key the later hook wins in a chain, the earlier one in a parallel plan; `true` is never undone. */
function mergeSpecific(answers: readonly Answer[], sequential: boolean): Record<string, unknown> {
  const inOrder = sequential ? answers : answers.toReversed();
  const merged: Record<string, unknown> = {};
  for (const { specific } of inOrder) {
    for (const [key, value] of Object.entries(specific)) {
      if (merged[key] !== true)
        Object.defineProperty(merged, key, { value, enumerable: true, writable: true, configurable: true });
    }
  }
  return merged;
}
