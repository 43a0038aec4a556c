import { type Dialect, encodeAnswer, type HostEvent, type OurAnswer, refusal } from "@hookline/engine/program";
import { askAboutCall, askAboutGuards } from "./askAbout.ts";
import type { Broker } from "./broker.ts";
import type { ClosedKeeper } from "./closedKeeper.ts";
import { Deadline } from "./deadline.ts";
import { firePart, type PartAnswer } from "./firePart.ts";
import { type HostCall, identityOf, readCall } from "./hostCall.ts";
import { LastPrompts } from "./lastPrompts.ts";
import { RecentAnswers } from "./recentAnswers.ts";
import { recordUnasked, type UnaskedCall } from "./recordUnasked.ts";
import type { SeenCalls } from "./seenCalls.ts";
import type { ServedProject } from "./servedProject.ts";
import type { CallPlace, ServedProjects } from "./servedProjects.ts";
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

/** A call while it is answered. */
interface Context extends Client {
  readonly host: HostCall;
  readonly event: HostEvent;
  readonly deadline: Deadline;
}

const PASSED: HookAnswer = { exitCode: 0, stdout: "", stderr: "" };
/** Limit of files per call: each fires its own event. Larger calls are refused. */
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
    const answering = (clients: Client) => this.#answerOnce(host, clients);
    return identity === undefined ? answering(client) : this.#recent.of(identity, client, answering);
  }

  async #answerOnce(host: HostCall, client: Client): Promise<HookAnswer> {
    const { request, dialect, decoded, session } = host;
    this.#with.seen.add(host);
    if (decoded.kind === "unknown" || decoded.kind === "recorded") return PASSED;
    const deadline = new Deadline(request, client.gone);
    const waitForPerson = () => {
      client.onWait();
      return deadline.waitForPerson();
    };
    try {
      return await this.#with.projects.use(this.#placeOf(host), ({ served, env }) => {
        this.#with.closed.update(served);
        const call = { id: session, workingDir: request.cwd, env, waitForPerson };
        return served.during(call, async () => {
          if (decoded.kind === "event") {
            return this.#decide(served, { ...client, host, event: decoded, deadline });
          }
          const { readable, why } = decoded;
          return withoutHooks(served, host, { why, mayHaveHidden: readable });
        });
      });
    } catch (error) {
      return refused(dialect, request.event, `hookline cannot run its hooks: ${textOf(error)}`);
    } finally {
      deadline.end();
    }
  }

  #placeOf({ request, session, decoded }: HostCall): CallPlace {
    const { host, cwd: folder, env, trustProject } = request;
    return {
      folder,
      env,
      trustProject,
      session: session === "" ? "" : JSON.stringify([host, session]),
      isStart: "ours" in decoded && decoded.ours === "SessionStart",
      knownRoot: () => this.#with.pins.rootOf({ host, id: session }),
    };
  }

  async #decide(served: ServedProject, context: Context): Promise<HookAnswer> {
    const { host, event } = context;
    const { dialect, request } = host;
    if (event.parts.length > MOST_PARTS) {
      const why = `the call has ${event.parts.length} parts; at most ${MOST_PARTS} are checked`;
      return withoutHooks(served, host, { why, mayHaveHidden: true });
    }
    const lost = await this.#lostGuards(served, context);
    if (lost !== undefined) {
      recordUnasked(served, unaskedCall(host), { ours: event.ours, why: lost, isRefused: true });
      return refused(dialect, request.event, lost);
    }
    const answers = await this.#fire(served, context);
    if (answers === "late") {
      return withoutHooks(served, host, { why: "its hooks did not answer in time", mayHaveHidden: false });
    }
    const asksHost = served.loaded.options.asks === "host" && mayAsk(dialect, request.event);
    const decided = asksHost
      ? answers.map(({ output }) => output)
      : await askAboutCall(answers, { ...context, served, broker: this.#with.broker });
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

  /** `late`: the deadline passed, and what was answered until then does not decide the call. */
  async #fire(served: ServedProject, { host, event, deadline }: Context): Promise<readonly PartAnswer[] | "late"> {
    const context = { dialect: host.dialect, call: event, missing: this.#prompts.missingIn(host), deadline };
    const answers: PartAnswer[] = [];
    for (const part of event.parts) {
      const answer = await firePart(served, part, context);
      if (deadline.isOver) return "late";
      answers.push(answer);
      // One objection decides the whole call; the other parts are not asked about.
      if (isObjection(answer)) break;
    }
    return event.parts.map((_, index) => answers[index] ?? { asking: [], input: {} });
  }
}

function isObjection({ output }: PartAnswer): boolean {
  return output?.decision === "block" || output?.decision === "deny" || output?.continue === false;
}

function mayAsk({ events }: Dialect, name: string): boolean {
  const event = Object.hasOwn(events, name) ? events[name] : undefined;
  return event !== undefined && event.ours !== null && event.can.ask.is === "yes";
}

interface NotAsked {
  readonly why: string;
  /** The call was made so that hooks cannot see what it does; otherwise something failed. */
  readonly mayHaveHidden: boolean;
}

/**
 * The answer to a call that hooks were not asked about: a failure of the hooks that block on failure. A call that no guard can read is refused
 * wherever there is a guard; self-protection is one for every tool.
 */
function withoutHooks(served: ServedProject, host: HostCall, { why, mayHaveHidden }: NotAsked): HookAnswer {
  const { dialect, request, decoded } = host;
  if (!("ours" in decoded)) return PASSED;
  const { ours } = decoded;
  const guards = served.guards.filter(({ eventName }) => eventName === ours);
  const isRefused = mayHaveHidden
    ? ours === "BeforeTool" || guards.length > 0
    : guards.some(({ onError }) => onError === "block");
  recordUnasked(served, unaskedCall(host), { ours, why, isRefused });
  return isRefused ? refused(dialect, request.event, `Blocked by hookline: ${why}.`) : PASSED;
}

function unaskedCall({ request: { host, event, cwd }, session }: HostCall): UnaskedCall {
  return { host, event, session, cwd };
}

/** The agent's own "no". Never for a stop: an agent whose stop is refused runs forever. */
function refused(dialect: Dialect, event: string, why: string): HookAnswer {
  const mapped = Object.hasOwn(dialect.events, event) ? dialect.events[event] : undefined;
  return (mapped?.ours === "AfterAgent" ? undefined : refusal(dialect, event, why)) ?? PASSED;
}

function unknownHost({ host }: HookRequest): HookAnswer {
  const stderr = `hookline does not know the agent ${JSON.stringify(host)}; another version installed it. Run \`hookline install\` again.\n`;
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
