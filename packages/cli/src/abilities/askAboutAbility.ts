import type { Approve, Config } from "@hookline/engine";
import { askPerson } from "@hookline/engine/program";
import type { Refusal } from "./outcome.ts";
import type { AbilityInput } from "./store/task.ts";

interface AbilityQuestion {
  readonly abilityId: string;
  readonly input: AbilityInput;
  /** The task, or whatever else tells this question from others. */
  readonly id: string;
  readonly asked: Refusal;
  readonly approve: Approve;
  readonly signal: AbortSignal | undefined;
}

/** Asks the person about an ability, in the same form as about a tool of the agent. */
export async function askAboutAbility(config: Config, question: AbilityQuestion) {
  const { abilityId, input, id, approve, signal } = question;
  const { hooks, reason: defaultReason } = question.asked;
  const details = { type: "info" as const, title: `Run the ability ${abilityId}?`, toolName: abilityId };
  const { approved, reason = defaultReason } = await askPerson(config, {
    request: { toolName: abilityId, toolInput: input, toolCallId: id, hooks, rewrites: [], reasons: [defaultReason] },
    notification: { notification_type: "ToolPermission", message: defaultReason, details },
    approve,
    signal,
    defaultReason,
  });
  return { approved, reason };
}
