import { isSignature, signature } from "../../state/userKey.ts";
import type { Approval, Ask, Task } from "./task.ts";

/** A person's yes to the asks they were shown, for one run of this very task. */
export type GivenApproval = Pick<Approval, "by" | "at" | "reason">;

const PURPOSE = "approval of a task";

/** Signed with the user's key: what somebody wrote into a store, or approved on another machine, is not an answer. */
export function signedApproval(homeDir: string, task: Task, given: GivenApproval): Approval {
  const answer = { ...given, asks: task.objection?.asks ?? [] };
  return { ...answer, signature: signature(homeDir, PURPOSE, signedContent(task, answer)) };
}

/** Whether a person has said yes to this ask, as it is now, about this task, as it is now. */
export function isAnswered(homeDir: string, task: Task, ask: Ask): boolean {
  const { approval } = task;
  if (!approval?.asks.some((shown) => sameAsk(shown, ask))) return false;
  return isSignature(approval.signature, signature(homeDir, PURPOSE, signedContent(task, approval)));
}

function signedContent(task: Task, { by, at, reason, asks }: Omit<Approval, "signature">): unknown {
  const { key, root, abilityId, input, environment = null } = task;
  return [key, root, abilityId, input, environment, by, at, reason, asks.map(plainAsk)];
}

function sameAsk(one: Ask, other: Ask): boolean {
  return JSON.stringify(plainAsk(one)) === JSON.stringify(plainAsk(other));
}

function plainAsk({ event, hooks, reason }: Ask): unknown {
  return [event, hooks.toSorted(), reason];
}
