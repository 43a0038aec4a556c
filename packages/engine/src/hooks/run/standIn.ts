import type { EventSpec } from "../../events/eventSpec.ts";
import { type Answer, objects } from "../answer/answer.ts";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { Merged } from "../merge/merged.ts";

/**
 * What stands in for the action, such as a synthetic response, is delivered beside the objection of its own hook. The objection of a hook
 * that brings none is not passed by.
 */
export function withoutOpposedStandIn(merged: Merged, answers: readonly Answer[], { standsIn }: EventSpec): Merged {
  if (standsIn === null || !(standsIn in merged.specific) || !answers.some((answer) => opposes(answer, standsIn))) {
    return merged;
  }
  const { [standsIn]: _opposed, ...specific } = merged.specific;
  return { ...merged, specific };
}

/** Who brought something that is not delivered, and because of whom. */
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
