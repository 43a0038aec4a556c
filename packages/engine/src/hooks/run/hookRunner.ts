import type { HookDeclaration } from "../../config/hooks/hookDeclaration.ts";
import type { TrustGate } from "../../config/trust/trustGate.ts";
import { type FileStamp, sameStamps } from "../../config/values/fileContent.ts";
import type { EventSpec } from "../../events/eventSpec.ts";
import { type Answer, type Failure, objectionOnly, objects } from "../answer/answer.ts";
import { answerToFailure, UNHEARD } from "../answer/answerToFailure.ts";
import { type Ending, NOTHING_CAPTURED } from "../answer/ending.ts";
import { withDenialSignal } from "../answer/readSignals.ts";
import { withheldHint } from "../answer/withheldHint.ts";
import type { HookHandler, HookRun, Services, StartedKind } from "../handlers/handler.ts";
import { HookExecutionResult } from "../hookExecutionResult.ts";
import type { PlannedHook } from "../plan/hookPlanner.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import type { Pass } from "../record/recorder.ts";
import type { EventValue, View } from "./eventValue.ts";
import { hearEnding } from "./hearEnding.ts";
import { orAborted } from "./orAborted.ts";
import { RecentPaths } from "./recentPaths.ts";
import { withRetries } from "./retries.ts";
import type { RunObserver } from "./runObserver.ts";
import { StartedFiles } from "./startedFiles.ts";

/** The event that a hook runs for, in the state that it should see. */
export interface HookCall {
  readonly eventName: string;
  readonly spec: EventSpec;
  readonly value: EventValue;
  /** Fields of the input that were repaired before any hook saw them. */
  readonly repaired: readonly string[];
  readonly subjectPath: readonly string[];
  readonly contexts: readonly string[];
  readonly pass: Pass;
  readonly signal: AbortSignal | undefined;
  /** Hooks that still run then, by `performance.now()`, have timed out. */
  readonly until: (() => number) | undefined;
  readonly observer: RunObserver | undefined;
}

/** One run of one hook, in progress; its kind sees the `HookRun` part. */
interface Run extends HookRun {
  readonly planned: PlannedHook;
  readonly call: HookCall;
  readonly runId: number;
  /** The stamps with which its files were admitted. */
  admitted: readonly FileStamp[];
  /** Why it must not run, or why only its objection counts. */
  withheld: string | undefined;
  /** How earlier attempts failed. */
  failedBefore: readonly string[];
  ending: Promise<Ending> | Ending;
}

/** Runs hooks and reads their answers; does not know other hooks' answers. */
export class HookRunner {
  readonly #kinds: ReadonlyMap<string, StartedKind>;
  /** Types of hooks whose files are read once and cached. */
  readonly #keeping: ReadonlySet<string>;
  readonly #services: Services;
  readonly #gate: TrustGate;
  readonly #paths = new RecentPaths();
  /** Hooks whose withheld variables have been reported. */
  readonly #hinted = new WeakSet<HookRegistryEntry>();

  constructor(handlers: readonly HookHandler[], services: Services, gate: TrustGate) {
    this.#kinds = new Map(handlers.map((handler) => [handler.kind.type, handler.start(services)]));
    this.#keeping = new Set(handlers.flatMap(({ kind }) => (kind.keepsFiles ? kind.type : [])));
    this.#services = services;
    this.#gate = gate;
  }

  /** How many hooks of one event may run at once, from the current settings. */
  get maxParallel(): number {
    return this.#services.getOptions().maxParallel;
  }

  async executeHook(planned: PlannedHook, call: HookCall): Promise<HookExecutionResult> {
    const run = this.begin(planned, call, performance.now());
    return this.conclude(run, await run.ending);
  }

  /** The first half of `executeHook`, for a caller that waits for the ending without an extra promise. */
  begin(planned: PlannedHook, call: HookCall, startedAt: number): Run {
    const hook = planned.entry;
    const run: Run = {
      planned,
      hook,
      call,
      value: call.value,
      view: viewOf(planned, call),
      signal: call.signal,
      startedAt,
      waitedMs: 0,
      limitMs: hook.config.timeoutMs,
      timeoutMs: hook.config.timeoutMs,
      runId: call.observer?.started(planned, call.pass) ?? 0,
      admitted: NEVER,
      files: undefined,
      withheld: hook.withheld,
      failedBefore: NEVER,
      ending: ABORTED,
    };
    run.ending = this.#endingOf(run);
    return run;
  }

  #endingOf(run: Run): Promise<Ending> | Ending {
    if (run.withheld !== undefined) return notStarted(run.withheld);
    return this.#isUnchanged(run.hook.config) ? this.#run(run) : this.#runIfAllowed(run);
  }

  async #runIfAllowed(run: Run): Promise<Ending> {
    const { config } = run.hook;
    run.withheld = await this.#refusal(config, run.call);
    if (config.target) this.#paths.forget(config.target.files);
    return run.withheld === undefined ? this.#run(run) : notStarted(run.withheld);
  }

  #isUnchanged(config: HookDeclaration): boolean {
    return this.#keeping.has(config.type) ? this.#gate.wasUnchanged(config) : this.#gate.isUnchanged(config);
  }

  /**
   * Another program can swap a file between the check and the start, and put it back. Another run may have
   * checked it then and found trusted content; so the stamps must be the ones with which this run was admitted.
   */
  #isSwapped({ files, withheld, hook, admitted }: Run, { kind }: Ending): boolean {
    if (files === undefined || files.areSettled || withheld !== undefined || kind === "aborted") return false;
    const areSame = () =>
      sameStamps(admitted, this.#gate.admittedStamps(hook.config)) && this.#gate.isUnchanged(hook.config);
    files.settle(areSame, ANSWERED.has(kind));
    return files.areSwapped;
  }

  /** Turns the ending of a run into a result. */
  conclude(run: Run, ended: Ending): HookExecutionResult {
    const { planned: hook, call } = run;
    const { spec, eventName, pass } = call;
    const { config } = run.hook;
    const withheld = this.#isSwapped(run, ended) ? SWAPPED : run.withheld;
    const duration = performance.now() - run.startedAt - run.waitedMs;
    const ending = withOverrun(ended, duration, run.limitMs);
    const heard = hearEnding(ending, spec, config, call.value.fields);
    const failure =
      withheld === undefined ? (this.#failure(call, heard.failure) ?? heard.badAnswer) : untrusted(withheld);
    const said = withheld === undefined ? heard.answer : objectionIn(heard.answer);
    const given = failure ? answerToFailure(hook, failure, said, spec) : heard.answer;
    const answer = given?.blocks ? withDenialSignal(given, spec, config) : given;
    const hint = failure || answer?.blocks ? this.#hint(hook, ending, failure) : undefined;
    const more = hint === undefined ? heard.notes : [...heard.notes, hint];
    const notes =
      run.failedBefore.length === 0 ? more : [...more, `was run again: it ${run.failedBefore.join(", then ")}`];
    const success = failure === undefined;
    const output = withheld === undefined ? heard.output : undefined;
    const facts = { hook, eventName, pass, success, ending, failure, answer, output, notes, duration };
    const result = new HookExecutionResult(facts);
    call.observer?.ended(run.runId, result, run.value, run.view);
    return result;
  }

  /** At most `maxParallel` at a time; results in plan order, never in completion order. */
  async executeHooksParallel(hooks: readonly PlannedHook[], call: HookCall): Promise<HookExecutionResult[]> {
    const [only] = hooks;
    if (only && hooks.length === 1) return [await this.executeHook(only, call)];
    const { maxParallel } = this;
    if (hooks.length <= maxParallel) return Promise.all(hooks.map((hook) => this.executeHook(hook, call)));
    const results = new Map<PlannedHook, HookExecutionResult>();
    const queue = hooks.values();
    const loops = Array.from({ length: maxParallel }, async () => {
      for (const hook of queue) results.set(hook, await this.executeHook(hook, call));
    });
    await Promise.all(loops);
    return hooks.flatMap((hook) => results.get(hook) ?? []);
  }

  /** One after the other; `next` returns the event as the following hook sees it, or null to end the chain. */
  async executeHooksSequential(
    hooks: readonly PlannedHook[],
    call: HookCall,
    next: (result: HookExecutionResult, call: HookCall) => HookCall | null,
  ): Promise<HookExecutionResult[]> {
    const results: HookExecutionResult[] = [];
    let current: HookCall | null = call;
    for (const hook of hooks) {
      const result: HookExecutionResult = await this.executeHook(hook, current);
      results.push(result);
      current = next(result, current);
      if (current === null) break;
    }
    return results;
  }

  /** Aborts running hooks, starts no more, and releases what the kinds keep: warm processes, open connections. */
  async dispose(): Promise<void> {
    this.#services.openRuns.close();
    await Promise.allSettled([...this.#kinds.values()].map(async (kind) => kind.dispose?.()));
  }

  /** If the gate fails, nothing runs. It may ask a person, who may be gone by then. */
  async #refusal(config: HookDeclaration, { signal }: HookCall): Promise<string | undefined> {
    const { openRuns } = this.#services;
    const given = new AbortController();
    openRuns.add(given);
    try {
      return await orAborted(orAborted(this.#gate.refusal(config), signal), given.signal);
    } catch (error) {
      if (signal?.aborted || given.signal.aborted) return undefined; // no kind starts anything then
      return `may have been changed, and that cannot be checked: ${error instanceof Error ? error.message : error}`;
    } finally {
      openRuns.delete(given);
    }
  }

  #run(run: Run): Promise<Ending> | Ending {
    const { observer, until } = run.call;
    if (until) shorten(run, until()); // now: the gate may have waited for a person
    try {
      run.admitted = this.#gate.admittedStamps(run.hook.config);
      return observer ? observer.around(run.runId, () => this.#attempt(run)) : this.#attempt(run);
    } catch (error) {
      return { kind: "threw", error };
    }
  }

  #start(run: Run): Promise<Ending> | Ending {
    const { config } = run.hook;
    if (this.#services.openRuns.isClosed) return ABORTED;
    const kind = this.#kinds.get(config.type);
    if (config.off?.kind === "broken") return notStarted(config.off.problem.what);
    if (!kind) return notStarted(`no handler for hooks of type "${config.type}"`);
    run.files = kind.keeps ? undefined : new StartedFiles(config.target?.files, this.#paths);
    return kind.run(run);
  }

  #attempt(run: Run): Promise<Ending> | Ending {
    if (run.hook.config.retries === undefined) return this.#start(run);
    return withRetries(run, {
      start: () => this.#start(run),
      failureOf: (ending) => {
        const { failure, answer, badAnswer } = hearEnding(ending, run.call.spec, run.hook.config, run.value.fields);
        return answer === undefined && badAnswer === undefined ? this.#failure(run.call, failure) : undefined;
      },
      onRetry: ({ message }) => {
        run.failedBefore = [...run.failedBefore, message];
      },
    });
  }

  #failure({ signal }: HookCall, failure: Failure | undefined): Failure | undefined {
    if (failure === undefined) return undefined;
    // However it looks: the engine ended it, unless its caller already had.
    if (this.#services.openRuns.isClosed && !signal?.aborted) return DISPOSED;
    return failure;
  }

  /** Once per hook, and only if it objects or fails by itself. */
  #hint({ entry }: PlannedHook, ending: Ending, failure: Failure | undefined): string | undefined {
    if (this.#hinted.has(entry) || (failure && UNHEARD.has(failure.kind))) return undefined;
    const withheld = this.#kinds.get(entry.config.type)?.withheldFrom?.(entry) ?? [];
    const hint = withheldHint(ending, withheld);
    if (hint !== undefined) this.#hinted.add(entry);
    return hint;
  }
}

function shorten(run: Run, until: number): void {
  run.limitMs = Math.max(0, Math.min(run.limitMs, until - run.startedAt));
  run.timeoutMs = Math.max(0, Math.min(run.timeoutMs, until - performance.now()));
}

function viewOf(hook: PlannedHook, { subjectPath, pass, spec, contexts }: HookCall): View {
  const { subject } = hook;
  return { subjectPath, subject, secondPass: pass === "second", contextField: spec.contextChain, contexts };
}

/** A timer cannot fire while an in-process function blocks the thread, so check the clock too. */
function withOverrun(ending: Ending, tookMs: number, timeoutMs: number): Ending {
  if (ending.kind !== "returned" || tookMs <= timeoutMs) return ending;
  return { kind: "overran", afterMs: Math.round(tookMs), value: ending.value };
}

/** Endings after which a process or module has read its files. */
const ANSWERED: ReadonlySet<Ending["kind"]> = new Set([
  "exited",
  "answered",
  "answeredTwice",
  "reported",
  "cutOff",
  "returned",
  "overran",
  "responded",
]);
const NEVER: readonly never[] = [];
const SWAPPED = "was changed while it ran, so only its objection counts";

function objectionIn(answer: Answer | undefined): Answer | undefined {
  return answer && objects(answer) ? objectionOnly(answer) : undefined;
}

const notStarted = (why: string): Ending => ({ kind: "notStarted", cause: new Error(why) });
const untrusted = (message: string): Failure => ({ kind: "untrusted", message });
const ABORTED: Ending = { kind: "aborted", ...NOTHING_CAPTURED };
const DISPOSED: Failure = { kind: "disposed", message: "was cut short: the hook system was shut down" };
