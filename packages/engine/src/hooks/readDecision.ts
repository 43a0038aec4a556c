import { isRecord } from "./answer.ts";
import type { Fields } from "./rewrites.ts";

export type DecisionWord = "allow" | "approve" | "deny" | "block" | "ask";

interface DecisionReading {
  readonly decision: DecisionWord | undefined;
  /** The reason that belongs to another dialect's spelling. */
  readonly reason: string | undefined;
}

const UNDECIDED: DecisionReading = { decision: undefined, reason: undefined };

/** `decision`, or `permissionDecision` in either place. Said twice and differently, the objection stands. */
export function readDecision(value: Fields, ignored: string[]): DecisionReading {
  const specific = isRecord(value.hookSpecificOutput) ? value.hookSpecificOutput : undefined;
  const spoken = [value.decision, specific?.permissionDecision, value.permissionDecision];
  let decision: DecisionWord | undefined;
  for (const word of spoken) {
    if (word === undefined || word === null) continue;
    const known = typeof word === "string" ? toDecision(word.trim().toLowerCase()) : undefined;
    if (known === undefined)
      ignored.push(`decision ${JSON.stringify(word)} is not one of allow, approve, deny, block, ask`);
    else if (decision === undefined || weight(known) > weight(decision)) decision = known;
  }
  const reason = specific?.permissionDecisionReason ?? value.permissionDecisionReason;
  if (decision === undefined && reason === undefined) return UNDECIDED;
  return { decision, reason: typeof reason === "string" ? reason : undefined };
}

function toDecision(word: string): DecisionWord | undefined {
  switch (word) {
    case "allow":
    case "approve":
    case "deny":
    case "block":
    case "ask":
      return word;
    default:
      return undefined;
  }
}

const weight = (word: DecisionWord) => (word === "deny" || word === "block" ? 2 : word === "ask" ? 1 : 0);
