import { randomUUID } from "node:crypto";
import { type Approve, type Config, HooklineError, type HookSystem } from "@hookline/engine";
import type { AbilityHookResult } from "@hookline/engine/program";
import { AbilityEvents, type AbilityUse, refusalOf } from "./abilityEvents.ts";
import type { AbilityRegistry } from "./abilityRegistry.ts";
import type { Executed } from "./abilityResult.ts";
import { askAboutAbility } from "./askAboutAbility.ts";
import type { Caller } from "./caller.ts";
import { elsewhere, notItsEnvironment } from "./environment.ts";
import { executeAbility } from "./execute/executeAbility.ts";
import { ProgramEnvironment } from "./execute/programEnvironment.ts";
import { checkInput } from "./inputCheck.ts";
import { keepLease } from "./keepLease.ts";
import type { CreateOutcome, Refusal, RunOutcome } from "./outcome.ts";
import { programVariables } from "./programVariables.ts";
import { assertRunnable, changedMeanwhile, openSinceCreation } from "./runnable.ts";
import type { AbilityInput, Ask, Objection, Task } from "./store/task.ts";
import type { TaskStore } from "./store/taskStore.ts";
import { undeclaredWrites } from "./undeclaredWrites.ts";

export interface ToolRunnerOptions {
  readonly config: Config;
  /** A started system. */
  readonly system: HookSystem;
  readonly registry: AbilityRegistry;
  readonly store: TaskStore;
  readonly projectRoot: string;
  readonly caller: Caller;
  /** The default environment of abilities: dev, staging, prod, … */
  readonly environment?: string;
  /** Answers the asks of hooks; without it, tasks wait for `task approve`. */
  readonly approve?: Approve;
  readonly signal?: AbortSignal;
  /** The environment of programs, before credentials are removed; default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives notices for the user. */
  readonly onNotice: (text: string) => void;
}

interface Where {
  readonly environment?: string | undefined;
}

/** The verdict on a run: free, or why not. */
type Hearing =
  | { readonly kind: "free"; readonly signals: Refusal["signals"] }
  | ({ readonly kind: "denied" | "asks"; readonly byPerson: boolean; readonly asks: readonly Ask[] } & Refusal);

/** The only entrance to abilities for all callers: the AI in a session, a pipeline, a job, a person. */
export class ToolRunner {
  readonly #options: ToolRunnerOptions;
  readonly #events: AbilityEvents;
  readonly #environment: ProgramEnvironment;
  /** The task created last, if it may run: usually its run follows, which then need not read it. */
  #fresh: Task | undefined;

  constructor(options: ToolRunnerOptions) {
    this.#options = options;
    this.#environment = new ProgramEnvironment(options.env ?? process.env);
    this.#events = new AbilityEvents(options.config, options.signal);
  }

  /** Runs PreAbilityCreate hooks and, if they allow it, stores a task. Throws ABILITY_UNKNOWN and ABILITY_INPUT_INVALID. */
  async createTask(name: string, input: unknown, where: Where = {}): Promise<CreateOutcome> {
    const use = await this.#use(name, input, where);
    const wrongPlace = this.#wrongPlace(use);
    if (wrongPlace) return { kind: "unavailable", ...wrongPlace };
    const verdict = await this.#events.preflight(use);
    if (verdict.blocked) return { kind: "unavailable", ...refusalOf(verdict) };
    if (!verdict.asks) return { kind: "created", task: await this.#keep(use), signals: verdict.signals };
    const asked = refusalOf(verdict);
    const answer = await this.#askPerson(use, asked);
    if (answer === undefined) {
      return { kind: "awaitingHuman", task: await this.#keep(use, asObjection("create", asked)), ...asked };
    }
    if (!answer.approved) return { kind: "unavailable", ...asked, reason: answer.reason };
    return { kind: "created", task: await this.#keep(use), signals: verdict.signals };
  }

  /** Runs PreAbilityCall hooks, the ability, and PostAbilityCall hooks. Throws TASK_UNKNOWN and TASK_NOT_RUNNABLE. */
  async runTask(key: string, { again = false }: { readonly again?: boolean } = {}): Promise<RunOutcome> {
    const { store } = this.#options;
    const fresh = this.#takeFresh(key);
    const read = fresh ?? (await store.get(key));
    assertRunnable(read, again);
    const use = { ...(await this.#use(read.abilityId, read.input, read)), taskKey: key };
    const hearing = await this.#hear(use, read);
    if (hearing.kind !== "free") {
      const { kind, byPerson, asks, ...refusal } = hearing;
      const objection: Objection = { at: byPerson ? "person" : objectedAt(asks), ...refusal, asks };
      const kept = await store.object(read, kind === "asks" ? "awaiting_human" : "denied", objection);
      if (!kept) return this.#retry(read, fresh, again);
      return { kind: kind === "asks" ? "awaitingHuman" : "denied", task: kept, ...refusal };
    }
    const owner = randomUUID();
    const claimed = await store.claim(read, owner);
    if (!claimed) return this.#retry(read, fresh, again);
    const stopLease = keepLease(store, { key, owner }, this.#options.onNotice);
    const executed = await this.#execute(use).finally(stopLease);
    const task = (await this.#finish(claimed, executed)) ?? claimed;
    return { ...(await this.#report(use, hearing, executed)), task };
  }

  /** The same without a task. */
  async run(name: string, input: unknown, where: Where = {}): Promise<RunOutcome> {
    const use = await this.#use(name, input, where);
    const hearing = await this.#hear(use);
    if (hearing.kind === "free") return this.#report(use, hearing, await this.#execute(use));
    const { kind, byPerson: _, asks: __, ...refusal } = hearing;
    return { kind: kind === "asks" ? "awaitingHuman" : "denied", ...refusal };
  }

  async #use(name: string, given: unknown, where: Where): Promise<AbilityUse> {
    const { registry, caller } = this.#options;
    const { ability, ref } = registry.find(name);
    const input: AbilityInput = await checkInput(ability, given);
    const environment = where.environment ?? this.#options.environment;
    return { ability, ref, input, environment, caller, taskKey: undefined };
  }

  #wrongPlace(use: AbilityUse): Refusal | undefined {
    return notItsEnvironment(use, this.#options.environment) ?? elsewhere(use.ability, use.environment);
  }

  async #keep({ ability, ref, input, environment, caller }: AbilityUse, objection?: Objection): Promise<Task> {
    const facts = { abilityId: ability.name, ref, input, environment, caller };
    const task = await this.#options.store.create(objection ? { ...facts, objection } : facts);
    this.#fresh = task.status === "created" ? task : undefined;
    return task;
  }

  #takeFresh(key: string): Task | undefined {
    if (this.#fresh?.key !== key) return undefined;
    const task = this.#fresh;
    this.#fresh = undefined;
    return task;
  }

  /** Another process changed the task. A cached task is read again, which shows whether it can still run. */
  #retry(read: Task, fresh: Task | undefined, again: boolean): Promise<RunOutcome> {
    if (!fresh) throw changedMeanwhile(read);
    return this.runTask(read.key, { again });
  }

  /** Gets the verdict of hooks and, if they ask, of a person; finally checks that the files are still the trusted ones. */
  async #hear(use: AbilityUse, task?: Task): Promise<Hearing> {
    const wrongPlace = this.#wrongPlace(use);
    if (wrongPlace) return { kind: "denied", byPerson: false, ...wrongPlace, asks: [] };
    const verdict = await this.#events.guard(use);
    if (verdict.blocked) return { kind: "denied", byPerson: false, ...refusalOf(verdict), asks: [] };
    const asks = this.#openAsks(verdict, task);
    if (asks.length > 0) {
      const question = questionOf(asks, verdict, task);
      const answer = await this.#askPerson(use, question);
      if (answer === undefined) return { kind: "asks", byPerson: false, ...question, asks };
      if (!answer.approved) return { kind: "denied", byPerson: true, ...question, reason: answer.reason, asks };
    }
    await this.#assertTrusted(use);
    return { kind: "free", signals: verdict.signals };
  }

  /** The asks of hooks, from now and from the task's creation, that a person has not answered yet. */
  #openAsks(verdict: AbilityHookResult, task: Task | undefined): readonly Ask[] {
    const now = verdict.asks ? [askOf("PreAbilityCall", refusalOf(verdict))] : [];
    if (!task) return now;
    return [...openSinceCreation(task), ...now].filter((ask) => !this.#options.store.isAnswered(task, ask));
  }

  async #askPerson({ ability, input, taskKey }: AbilityUse, asked: Refusal) {
    const { config, approve, signal } = this.#options;
    if (!approve) return undefined;
    const question = { abilityId: ability.name, input, id: taskKey ?? randomUUID(), asked, approve, signal };
    const answer = await askAboutAbility(config, question);
    signal?.throwIfAborted();
    return answer;
  }

  async #assertTrusted({ ability }: AbilityUse): Promise<void> {
    const refused = await this.#options.system.getRefusal(ability);
    if (refused === undefined) return;
    throw new HooklineError({
      code: "HOOK_CHANGED",
      where: ability.place,
      what: `The ability "${ability.name}" ${refused}.`,
    });
  }

  #execute(use: AbilityUse): Promise<Executed> {
    const { config, system, projectRoot, approve, signal, onNotice } = this.#options;
    const variables = programVariables(use, projectRoot);
    const environment = this.#environment;
    const asking = approve ? { approve } : {};
    return executeAbility({ ...use, config, system, projectRoot, environment, variables, signal, onNotice, ...asking });
  }

  /** Stores the result. The work is done, so a failure of the store must not keep the result from the caller. */
  async #finish(claimed: Task, executed: Executed): Promise<Task | undefined> {
    const { store, onNotice } = this.#options;
    try {
      const ended = await store.finish(claimed, executed);
      if (!ended)
        onNotice(`The task ${claimed.key} was started again during this run; the result of this run was not stored.`);
      return ended;
    } catch (error) {
      onNotice(`The task ${claimed.key} has run, but its result could not be stored: ${String(error)}`);
      return undefined;
    }
  }

  /** Fires PostAbilityCall for every execution. */
  async #report(use: AbilityUse, { signals }: Pick<Refusal, "signals">, executed: Executed): Promise<RunOutcome> {
    if (executed.status !== "interrupted") {
      const others = undeclaredWrites(use.ability, executed);
      if (others.length > 0) {
        this.#options.onNotice(
          `"${use.ability.name}" changed files that its "writes" does not name: ${others.join(", ")}`,
        );
      }
      await this.#events.report(use, executed);
      return { kind: "ran", signals, ...executed };
    }
    const { durationMs } = executed;
    const error = "The caller interrupted it.";
    await this.#events.report(use, { status: "failure", output: "", changedFiles: [], durationMs, error });
    return { kind: "interrupted" };
  }
}

/** An open ask from the creation keeps its origin, even if hooks of the call ask too. */
function objectedAt(asks: readonly Ask[]): Objection["at"] {
  return asks.some(({ event }) => event === "PreAbilityCreate") ? "create" : "call";
}

function askOf(event: Ask["event"], { hooks, reason }: Refusal): Ask {
  return { event, hooks, reason };
}

function asObjection(at: "create", asked: Refusal): Objection {
  return { at, ...asked, asks: [askOf("PreAbilityCreate", asked)] };
}

/** Combines all open asks into one question: an answer covers only what the question shows. */
function questionOf(asks: readonly Ask[], verdict: AbilityHookResult, task: Task | undefined): Refusal {
  return {
    code: verdict.asks ? refusalOf(verdict).code : (task?.objection?.code ?? "ABILITY_REQUIRES_HUMAN"),
    reason: asks.map(({ reason }) => reason).join("\n"),
    signals: verdict.asks ? verdict.signals : (task?.objection?.signals ?? []),
    hooks: [...new Set(asks.flatMap(({ hooks }) => hooks))],
  };
}
