import { type Approve, type Config, fireNotificationHook } from "@hookline/engine";
import type { Refusal } from "./outcome.ts";
import type { AbilityInput } from "./store/task.ts";

export interface Question {
  readonly abilityId: string;
  readonly input: AbilityInput;
  /** The task, or whatever else tells this question from others. */
  readonly id: string;
  readonly asked: Refusal;
}

/** What a person said. */
export type PersonsAnswer = { readonly approved: true } | { readonly approved: false; readonly reason: string };

/** Puts what hooks ask to whoever is there, in the same form as for a tool of the agent. */
export async function askPerson(
  config: Config,
  approve: Approve,
  { abilityId, input, id, asked }: Question,
  signal: AbortSignal | undefined,
): Promise<PersonsAnswer> {
  const title = `Run the ability ${abilityId}?`;
  const details = { type: "info" as const, title, toolName: abilityId };
  await fireNotificationHook(
    config,
    { notification_type: "ToolPermission", message: asked.reason, details },
    signal ? { signal } : {},
  );
  const request = { toolName: abilityId, toolInput: input, toolCallId: id, hooks: asked.hooks, rewrites: [] };
  const askedAt = performance.now();
  const answer = read(await approve({ ...request, reasons: [asked.reason] }, signal), asked);
  const durationMs = performance.now() - askedAt;
  const reason = answer.approved ? undefined : answer.reason;
  const facts = { callId: id, subject: abilityId, input, hooks: asked.hooks, by: "person" as const };
  await config.getHookSystem()?.recordApproval({ ...facts, approved: answer.approved, reason, durationMs });
  return answer;
}

function read(answer: Awaited<ReturnType<Approve>>, { reason }: Refusal): PersonsAnswer {
  if (typeof answer === "boolean") return answer ? { approved: true } : { approved: false, reason };
  return answer.approved ? { approved: true } : { approved: false, reason: answer.reason ?? reason };
}
