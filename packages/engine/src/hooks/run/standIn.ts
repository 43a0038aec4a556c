import type { EventSpec } from "../../events/eventSpec.ts";
import { type Answer, objects } from "../answer/answer.ts";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { Merged } from "../merge/merged.ts";

/**
 * A replacement for the action, such as a synthetic response, is delivered together with an objection of its own hook. It is dropped
 * if a hook without a replacement objects.
 */
export function withoutOpposedStandIn(merged: Merged, answers: readonly Answer[], { standsIn }: EventSpec): Merged {
  if (standsIn === null || !(standsIn in merged.specific) || !answers.some((answer) => opposes(answer, standsIn))) {
    return merged;
  }
  const { [standsIn]: _opposed, ...specific } = merged.specific;
  return { ...merged, specific };
}

/** Notes which hook's replacement is not delivered, and which hook objects. */
export function standInNotes(results: readonly HookExecutionResult[], { standsIn }: EventSpec): readonly string[] {
  if (standsIn === null) return NONE;
  const opponent = results.find(({ answer }) => answer && opposes(answer, standsIn));
  if (!opponent) return NONE;
  return results.flatMap(({ hook, answer }) =>
    answer && standsIn in answer.specific
      ? [`${standsIn} of "${hook.entry.config.name}" is not delivered: "${opponent.hook.entry.config.name}" objects`]
      : [],
  );
}

const NONE: readonly never[] = [];

function opposes(answer: Answer, standsIn: string): boolean {
  return objects(answer) && !(standsIn in answer.specific);
}
