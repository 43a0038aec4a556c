import type { McpContext } from "../../events/toolSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { Config } from "../config.ts";
import type { Rewrite } from "../record/recorder.ts";
import { orAborted } from "../run/orAborted.ts";
import type { Fields } from "../run/rewrites.ts";
import { fireNotificationHook, type HookNotification } from "./agent.ts";
import { errorText } from "./errorText.ts";
import { hooksOf } from "./hooksOf.ts";

/** What the tool itself wants confirmed: a diff, a command, a call of a server. */
export interface ToolConfirmation {
  readonly type: "edit" | "exec" | "mcp" | "info";
  readonly title: string;
  /** A hook's "allow" cannot replace it. */
  readonly isRequired?: boolean;
  /** False: an approval applies to this call only. */
  readonly isGrantable?: boolean;
  readonly [detail: string]: unknown;
}

/** Everything that a person is asked about one call, in one question. */
export interface ApprovalRequest {
  readonly toolName: string;
  /** The input that will run, after every rewrite. */
  readonly toolInput: Fields;
  readonly toolCallId: string;
  /** From the hooks that leave it to a person; empty if only the tool asks. */
  readonly reasons: readonly string[];
  /** The names of these hooks. */
  readonly hooks: readonly string[];
  readonly systemMessage?: string;
  /** What hooks changed, the old value, and which hook. */
  readonly rewrites: readonly Rewrite[];
  readonly mcpContext?: McpContext;
  readonly originalRequestName?: string;
  readonly confirmation?: ToolConfirmation;
}

export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly reason?: string;
  /** `nobody`: no person answered, so it is a denial. Default: a person did. */
  readonly by?: "person" | "nobody";
}

export type Approve = (
  request: ApprovalRequest,
  signal: AbortSignal | undefined,
) => boolean | ApprovalAnswer | Promise<boolean | ApprovalAnswer>;

export interface Question {
  readonly request: ApprovalRequest;
  /** The question as Notification hooks see it. */
  readonly notification: HookNotification;
  readonly approve: Approve;
  readonly signal: AbortSignal | undefined;
  /** For a "no" without a reason. */
  readonly defaultReason?: string;
}

export interface PersonsAnswer extends ApprovalAnswer {
  /** From Notification hooks, for the model. */
  readonly systemMessage?: string;
}

/**
 * Tells Notification hooks, asks a person, and records the answer before anything else happens. An abort while the person
 * decides counts as a "no" that no person gave. Rejects if the approver does, and then records nothing.
 */
export async function askPerson(config: Config, question: Question): Promise<PersonsAnswer> {
  const { request, notification, signal, defaultReason } = question;
  const { toolCallId: callId, toolName: subject, toolInput: input, hooks } = request;
  const { systemMessage } = await fireNotificationHook(config, notification, signal ? { signal } : {});
  const askedAt = performance.now();
  const { by, approved, reason = approved ? undefined : defaultReason } = await answerTo(question);
  const durationMs = performance.now() - askedAt;
  await hooksOf(config)?.recordApproval({ callId, subject, input, hooks, approved, reason, by, durationMs });
  return { approved, ...(reason === undefined ? {} : { reason }), ...(systemMessage ? { systemMessage } : {}) };
}

interface Answered extends ApprovalAnswer {
  readonly by: "person" | "nobody";
}

/** Only an explicit yes counts. Reacts to an abort while the person decides. */
async function answerTo({ request, approve, signal }: Question): Promise<Answered> {
  try {
    const answer: unknown = await orAborted<unknown>(approve(request, signal), signal);
    return answerIn(answer);
  } catch (error) {
    if (!signal?.aborted) throw error;
    return { by: "nobody", approved: false, reason: "cancelled while a person was asked" };
  }
}

/** An answer that cannot be read is a no. */
function answerIn(answer: unknown): Answered {
  if (!isRecord(answer)) return { by: "person", approved: answer === true };
  try {
    const { approved, reason, by } = answer;
    const who = by === "nobody" ? "nobody" : "person";
    return { by: who, approved: approved === true, ...(typeof reason === "string" && reason ? { reason } : {}) };
  } catch (error) {
    return { by: "nobody", approved: false, reason: `the answer could not be read: ${errorText(error)}` };
  }
}
