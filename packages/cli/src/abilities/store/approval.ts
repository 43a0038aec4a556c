import { isSignature, signature } from "../../state/userKey.ts";
import type { Approval, Ask, Task } from "./task.ts";

/** A person's approval of the shown asks, for one run of this task. */
export type GivenApproval = Pick<Approval, "by" | "at" | "reason">;

const PURPOSE = "approval of a task";

/** Signs an approval with the user's key, so that a forged record or one from another machine does not count. */
export function signedApproval(homeDir: string, task: Task, given: GivenApproval): Approval {
  const answer = { ...given, asks: task.objection?.asks ?? [] };
  return { ...answer, signature: signature(homeDir, PURPOSE, signedContent(task, answer)) };
}

/** Whether a valid approval covers this ask and this task in their current state. */
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
