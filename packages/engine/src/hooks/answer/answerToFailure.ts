import type { EventSpec } from "../../events/eventSpec.ts";
import type { PlannedHook } from "../plan/hookPlanner.ts";
import { type Answer, type Failure, NO_ANSWER } from "./answer.ts";

/** Not failures of the hook: the engine did not or could not let it answer. Continuing would mean continuing unguarded. */
export const UNHEARD: ReadonlySet<Failure["kind"]> = new Set<Failure["kind"]>(["untrusted", "noCapacity", "disposed"]);

/** A failure is not a verdict, unless `onError` says so or the hook could not answer. After an abort, `onError` does not apply. */
export function answerToFailure(
  { entry }: PlannedHook,
  failure: Failure,
  objection: Answer | undefined,
  spec: EventSpec,
): Answer | undefined {
  const { name, onError } = entry.config;
  const unheard = UNHEARD.has(failure.kind);
  const blocks = unheard || (onError === "block" && failure.kind !== "aborted");
  if (!blocks || !("block" in spec.may) || objection?.blocks) return objection;
  const { message } = failure;
  const why = unheard
    ? ""
    : message.endsWith(".")
      ? " It is set to block on failure."
      : ", and it is set to block on failure";
  const base = objection ?? NO_ANSWER;
  return { ...base, blocks: true, reasons: [...base.reasons, `Hook "${name}" ${message}${why}`] };
}
