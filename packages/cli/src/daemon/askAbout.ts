import { randomUUID } from "node:crypto";
import type { ApprovalRequest } from "@hookline/engine";
import type { HookOutput } from "@hookline/engine/components";
import { askPerson, type HostEvent, notificationOf } from "@hookline/engine/program";
import type { Broker, Decision } from "./broker.ts";
import type { Deadline } from "./deadline.ts";
import type { PartAnswer } from "./firePart.ts";
import type { HostCall } from "./hostCall.ts";
import type { ServedProject } from "./servedProject.ts";
import type { LostGuard } from "./sessionPins.ts";

interface QuestionContext {
  readonly host: HostCall;
  readonly event: HostEvent;
  readonly deadline: Deadline;
  readonly onWait: () => void;
  readonly served: ServedProject;
  readonly broker: Broker;
}

type Outputs = readonly (HookOutput | undefined)[];

/** Puts the question of the hooks to a person, where the agent cannot. Their yes or no replaces the question. */
export async function askAboutCall(answers: readonly PartAnswer[], context: QuestionContext): Promise<Outputs> {
  const isAsking = ({ output }: PartAnswer) => output?.decision === "ask";
  const outputs = answers.map(({ output }) => output);
  const asked = answers.filter(isAsking);
  if (asked.length === 0) return outputs;
  const { event, deadline, served } = context;
  const request = requestOf(event, answers, asked);
  const reason = request.reasons.join("\n");
  const details = answers.map(({ input }) => JSON.stringify(input, null, 2)).join("\n");
  const approve = () => ask(context, reason, details);
  const question = { request, notification: notificationOf(request), approve, signal: deadline.signal };
  const { approved, reason: why, systemMessage } = await askPerson(served.project.config, question);
  const decided = approved
    ? ({ decision: "allow" } as const)
    : ({ decision: "deny", reason: `${reason}\nNot approved: ${why ?? "no reason was given"}` } as const);
  const first = answers.findIndex(isAsking);
  return outputs.map((output, index) => {
    if (output?.decision !== "ask") return output;
    const messages = [output.systemMessage, index === first ? systemMessage : undefined].filter(Boolean);
    return { ...output, ...decided, ...(messages.length > 0 ? { systemMessage: messages.join("\n") } : {}) };
  });
}

/** Everything the person is asked, as Notification hooks and the journal see it. */
function requestOf(
  { parts }: HostEvent,
  answers: readonly PartAnswer[],
  asked: readonly PartAnswer[],
): ApprovalRequest {
  const [first] = parts;
  const [only] = answers;
  const { tool_name: toolName, tool_call_id: callId } = first?.fields ?? {};
  return {
    toolName: typeof toolName === "string" ? toolName : "",
    toolInput: only && answers.length === 1 ? only.input : { parts: answers.map(({ input }) => input) },
    toolCallId: typeof callId === "string" && callId !== "" ? callId : randomUUID(),
    reasons: asked.map(({ output }) => output?.reason ?? "a hook asks"),
    hooks: [...new Set(asked.flatMap(({ asking }) => asking))],
    rewrites: [],
  };
}

/** Whether a session may go on without guards that it began with. Undefined if a person agrees; otherwise why not. */
export async function askAboutGuards(
  lost: readonly LostGuard[],
  context: QuestionContext,
): Promise<string | undefined> {
  const names = lost.map(({ name, event }) => `"${name}" on ${event}`);
  const reason = `${names.join(", ")} ${names.length === 1 ? "was" : "were"} changed or removed since this session began.`;
  const askedAt = performance.now();
  const decision = await ask(context, reason, "Continue the session with the current hooks?");
  const { approved, reason: why, by } = decision;
  await context.served.project.system.recordApproval({
    callId: randomUUID(),
    subject: "hooks of a session",
    input: { session: context.host.session, lost: names },
    approved,
    reason: why,
    by,
    hooks: lost.map(({ name }) => name),
    durationMs: performance.now() - askedAt,
  });
  return approved ? undefined : `${reason} Until a person agrees, every event that it could block is refused: ${why}.`;
}

async function ask(
  { host, event, deadline, onWait, broker }: QuestionContext,
  reason: string,
  details: string,
): Promise<Decision> {
  const withinMs = deadline.waitForPerson();
  onWait();
  const [part] = event.parts;
  const subject = [event.ours, part?.fields.tool_name].filter((word) => typeof word === "string").join(" ");
  const { host: name, cwd: folder } = host.request;
  const question = { host: name, session: host.session, folder, subject, reason, details };
  return broker.ask(question, { withinMs, signal: deadline.signal });
}
