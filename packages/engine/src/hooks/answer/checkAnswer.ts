import type { EventSpec } from "../../events/eventSpec.ts";
import { plainFields, presentable } from "../../events/plainJson.ts";
import type { Answer } from "./answer.ts";

/**
 * The answer with well-formed text and limited nesting, safe to pass to other hooks, the agent and the journal. A
 * rewrite that is not JSON blocks: ignoring it could let through what it was meant to remove.
 */
export function checkAnswer(given: Answer, hookName: string, spec: EventSpec): Answer {
  if (isBare(given)) return given;
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

/** The usual answer: a verdict without text or data, which needs no check. */
function isBare({ reasons, stopReasons, messages, contexts, logs, signals, specific, rewrites }: Answer): boolean {
  const texts = reasons.length + stopReasons.length + messages.length + contexts.length + logs.length;
  return texts + signals.length === 0 && isEmpty(specific) && isEmpty(rewrites);
}

function isEmpty(fields: object): boolean {
  for (const _ in fields) return false;
  return true;
}
