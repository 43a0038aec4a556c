import type { EventSpec } from "../events/eventSpec.ts";
import { plainFields, presentable } from "../events/plainJson.ts";
import type { Answer } from "./answer.ts";

/**
 * The answer with well-formed text and nothing nested too deep, so that it can go to other hooks, the agent and the journal. A
 * rewrite that is not JSON blocks: going on without it could let through what it was to take out.
 */
export function checkAnswer(given: Answer, hookName: string, spec: EventSpec): Answer {
  const rewrites = plainFields(given.rewrites);
  const answer = presentable({ ...given, rewrites: rewrites.kind === "plain" ? rewrites.fields : {} });
  if (rewrites.kind === "plain") return answer;
  const reason = `Hook "${hookName}" answered with a rewrite that cannot be used: ${rewrites.why}`;
  return {
    ...answer,
    allows: false,
    blocks: answer.blocks || "block" in spec.may,
    reasons: [...answer.reasons, reason],
  };
}
