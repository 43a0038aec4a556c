import type { HookOutput } from "@hookline/engine/components";
import type { HostEvent } from "@hookline/engine/program";
import type { Broker, Decision } from "./broker.ts";
import type { Deadline } from "./deadline.ts";
import type { HostCall } from "./hostCall.ts";
import type { ServedProject } from "./servedProject.ts";
import type { LostGuard } from "./sessionPins.ts";

interface Asking {
  readonly host: HostCall;
  readonly event: HostEvent;
  readonly deadline: Deadline;
  readonly onWait: () => void;
  readonly served: ServedProject;
  readonly broker: Broker;
}

type Answers = readonly (HookOutput | undefined)[];

/** Puts the question of the hooks to a person, where the agent cannot. Their yes or no replaces the question. */
export async function askAboutCall(answers: Answers, asking: Asking): Promise<Answers> {
  const isAsking = (answer: HookOutput | undefined) => answer?.decision === "ask";
  const asked = answers.filter(isAsking);
  if (asked.length === 0) return answers;
  const reason = asked.map((answer) => answer?.reason ?? "a hook asks").join("\n");
  const { approved, reason: why } = await ask(asking, reason, detailsOf(asking.event));
  const decided = approved
    ? ({ decision: "allow" } as const)
    : ({ decision: "deny", reason: `${reason}\nNot approved: ${why}` } as const);
  return answers.map((answer) => (isAsking(answer) ? { ...answer, ...decided } : answer));
}

/** Whether a session may go on without guards that it began with. Undefined if a person agrees; otherwise why not. */
export async function askAboutGuards(lost: readonly LostGuard[], asking: Asking): Promise<string | undefined> {
  const names = lost.map(({ name, event }) => `"${name}" on ${event}`).join(", ");
  const reason = `${names} was changed or removed since this session began.`;
  const { approved, reason: why } = await ask(asking, reason, "Continue the session with the hooks of now?");
  return approved
    ? undefined
    : `${reason} Until a person agrees, nothing that it could have blocked may happen: ${why}.`;
}

async function ask(
  { host, event, deadline, onWait, broker }: Asking,
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

function detailsOf({ parts }: HostEvent): string {
  return parts.map(({ fields }) => JSON.stringify(fields.tool_input ?? fields.prompt ?? {}, null, 2)).join("\n");
}
