import { saysStop, wordOf } from "../../events/decisionWords.ts";
import type { EventSpec } from "../../events/eventSpec.ts";
import { type Answer, NO_ANSWER, objects } from "./answer.ts";
import type { KeptMembers } from "./objectTrack.ts";
import { type AnsweringHook, readSignals } from "./readSignals.ts";

/** Further reasons or signals are dropped: one objection is enough. */
const MAX_QUOTED = 20;

/** Reads only the objections of these objects. */
export function objectionsOf(found: readonly KeptMembers[], spec: EventSpec, hook: AnsweringHook): Answer {
  return found
    .map((members) => objectionOf(members, spec, hook))
    .filter(objects)
    .reduce(addObjection, NO_ANSWER);
}

/** Combines two answers of one hook: the objections of both, and everything else from the first. */
export function addObjection(answer: Answer, objection: Answer): Answer {
  if (!objects(objection)) return answer;
  return {
    ...answer,
    blocks: answer.blocks || objection.blocks,
    stops: answer.stops || objection.stops,
    asks: answer.asks || objection.asks,
    allows: false,
    reasons: union(answer.reasons, objection.reasons),
    stopReasons: union(answer.stopReasons, objection.stopReasons),
    signals: [...answer.signals, ...objection.signals.slice(0, Math.max(0, MAX_QUOTED - answer.signals.length))],
  };
}

function objectionOf(members: KeptMembers, spec: EventSpec, hook: AnsweringHook): Answer {
  const { decision, permissionDecision, reason, permissionDecisionReason, stopReason } = members;
  const words = [wordOf(decision)?.word, wordOf(permissionDecision)?.word];
  const stops = saysStop(members.continue);
  const { denies, asks, reasons, objecting } = readSignals([members], spec, hook);
  return {
    ...NO_ANSWER,
    blocks: words.includes("block") || denies,
    asks: words.includes("ask") || asks,
    stops,
    reasons: [...texts(reason ?? permissionDecisionReason), ...reasons],
    stopReasons: stops ? texts(stopReason) : [],
    signals: objecting,
  };
}

const texts = (field: unknown): string[] => (typeof field === "string" && field.trim() !== "" ? [field] : []);
const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].slice(0, MAX_QUOTED);
