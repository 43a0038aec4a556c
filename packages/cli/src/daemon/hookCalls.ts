import type { HookOutput } from "@hookline/engine/components";
import { type Dialect, encodeAnswer, type HostEvent, type OurAnswer, refusal } from "@hookline/engine/program";
import { askAboutCall, askAboutGuards } from "./askAbout.ts";
import type { Broker } from "./broker.ts";
import type { ClosedKeeper } from "./closedKeeper.ts";
import { Deadline } from "./deadline.ts";
import { firePart } from "./firePart.ts";
import { type HostCall, identityOf, readCall } from "./hostCall.ts";
import { LastPrompts } from "./lastPrompts.ts";
import { RecentAnswers } from "./recentAnswers.ts";
import type { SeenCalls } from "./seenCalls.ts";
import type { ServedProject } from "./servedProject.ts";
import type { ServedProjects } from "./servedProjects.ts";
import type { SessionPins } from "./sessionPins.ts";
import type { HookAnswer, HookRequest } from "./wire.ts";

export interface Answering {
  readonly projects: ServedProjects;
  readonly broker: Broker;
  readonly closed: ClosedKeeper;
  readonly pins: SessionPins;
  readonly seen: SeenCalls;
}

export interface Client {
  /** Tells the client that a person is being asked, so that it waits longer. */
  readonly onWait: () => void;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
}

/** What a call does while it is answered. */
interface Context extends Client {
  readonly host: HostCall;
  readonly event: HostEvent;
  readonly deadline: Deadline;
}

const PASSED: HookAnswer = { exitCode: 0, stdout: "", stderr: "" };
/** One call that writes more files than that is refused: each is an event of its own. */
const MOST_PARTS = 500;

/** Answers the calls of all agents. */
export class HookCalls {
  readonly #with: Answering;
  readonly #recent = new RecentAnswers();
  readonly #prompts = new LastPrompts();

  constructor(parts: Answering) {
    this.#with = parts;
  }

  /** Never rejects: whatever fails, the answer is the agent's own "no" where a guard could have objected. */
  async answer(request: HookRequest, client: Client): Promise<HookAnswer> {
    const host = readCall(request);
    if (!host) return unknownHost(request);
    const identity = identityOf(host);
    const answering = () => this.#answerOnce(host, client);
    return identity === undefined ? answering() : this.#recent.of(identity, answering);
  }

  async #answerOnce(host: HostCall, client: Client): Promise<HookAnswer> {
    const { request, dialect, decoded } = host;
    this.#with.seen.add(host);
    if (decoded.kind === "unknown" || decoded.kind === "recorded") return PASSED;
    const deadline = new Deadline(request, client.gone);
    try {
      return await this.#with.projects.use(whereOf(host), (served) => {
        this.#with.closed.update(served);
        if (decoded.kind === "invalid") return Promise.resolve(refuseIfGuarded(served, host, decoded.why));
        const session = { id: host.session, workingDir: request.cwd };
        return served.during(session, () => this.#decide(served, { ...client, host, event: decoded, deadline }));
      });
    } catch (error) {
      return refused(dialect, request.event, `hookline cannot run its hooks: ${textOf(error)}`);
    } finally {
      deadline.end();
    }
  }

  async #decide(served: ServedProject, context: Context): Promise<HookAnswer> {
    const { host, event, deadline } = context;
    const { dialect, request } = host;
    if (event.parts.length > MOST_PARTS) {
      return refuseIfGuarded(
        served,
        host,
        `the call has ${event.parts.length} parts; at most ${MOST_PARTS} are checked`,
      );
    }
    const lost = await this.#lostGuards(served, context);
    if (lost !== undefined) return refused(dialect, request.event, lost);
    const answers = await this.#fire(served, context);
    if (deadline.isOver) return refuseIfGuarded(served, host, "its hooks did not answer in time");
    const asksHost = mayAsk(dialect, request.event);
    const decided = asksHost ? answers : await askAboutCall(answers, { ...context, served, broker: this.#with.broker });
    return encodeAnswer(dialect, event, withTrustNotice(served, event, decided), { ask: asksHost ? "host" : "deny" });
  }

  /** Why the call is refused, if the session has lost a guard and no person agrees. */
  async #lostGuards(served: ServedProject, context: Context): Promise<string | undefined> {
    const { host, event } = context;
    if (host.session === "" || event.ours === "SessionEnd") return undefined;
    const session = { host: host.request.host, id: host.session };
    const lost = this.#with.pins.lostGuards(session, served);
    if (lost.length === 0) return undefined;
    const refusedBecause = await askAboutGuards(lost, { ...context, served, broker: this.#with.broker });
    if (refusedBecause === undefined) this.#with.pins.pin(session, served);
    return refusedBecause;
  }

  async #fire(served: ServedProject, { host, event, deadline }: Context): Promise<readonly (HookOutput | undefined)[]> {
    const missing = this.#prompts.missingIn(host);
    const answers: (HookOutput | undefined)[] = [];
    let isRefused = false;
    for (const part of event.parts) {
      // One objection decides the whole call; the other parts are not asked about.
      const answer = isRefused
        ? undefined
        : await firePart(served, part, { call: event, missing, signal: deadline.signal });
      answers.push(answer);
      isRefused = isObjection(answer);
    }
    return answers;
  }
}

function isObjection(answer: HookOutput | undefined): boolean {
  return answer?.decision === "block" || answer?.decision === "deny" || answer?.continue === false;
}

function whereOf({ request: { host, cwd, env, trustProject }, session }: HostCall) {
  return { folder: cwd, env, trustProject, session: session === "" ? "" : JSON.stringify([host, session]) };
}

function mayAsk({ events }: Dialect, name: string): boolean {
  const event = Object.hasOwn(events, name) ? events[name] : undefined;
  return event !== undefined && event.ours !== null && event.can.ask.is === "yes";
}

/** For hooks that block on failure, not to be asked is a failure. */
function refuseIfGuarded(served: ServedProject, { dialect, request, decoded }: HostCall, why: string): HookAnswer {
  const ours = "ours" in decoded ? decoded.ours : undefined;
  const isGuarded = served.guards.some(({ eventName, onError }) => eventName === ours && onError === "block");
  return isGuarded ? refused(dialect, request.event, `Blocked by hookline: ${why}.`) : PASSED;
}

/** The agent's own "no". Never to a stop: an agent that is refused to stop goes on, without end. */
function refused(dialect: Dialect, event: string, why: string): HookAnswer {
  const mapped = Object.hasOwn(dialect.events, event) ? dialect.events[event] : undefined;
  return (mapped?.ours === "AfterAgent" ? undefined : refusal(dialect, event, why)) ?? PASSED;
}

function unknownHost({ host }: HookRequest): HookAnswer {
  const stderr = `hookline has no table for the agent ${JSON.stringify(host)}; run \`hookline install\` again.\n`;
  return { exitCode: 2, stdout: "", stderr };
}

/** At the start of a session the person hears which hooks do not run. */
function withTrustNotice(
  { project }: ServedProject,
  { ours }: HostEvent,
  answers: readonly (OurAnswer | undefined)[],
): readonly (OurAnswer | undefined)[] {
  const { untrusted } = project.system.getStatus();
  if (ours !== "SessionStart" || untrusted.length === 0) return answers;
  const notice = `hookline: ${untrusted.length} of this project's hooks are not trusted and do not run. Review them with \`hookline trust\`.`;
  const [first, ...others] = answers;
  return [{ ...first, systemMessage: [first?.systemMessage ?? [], notice].flat().join("\n") }, ...others];
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
