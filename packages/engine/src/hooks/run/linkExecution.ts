import type { Answer } from "../answer/answer.ts";
import type { HookExecutionResult } from "../hookExecutionResult.ts";
import type { PlannedHook } from "../plan/hookPlanner.ts";
import type { Rewrite } from "../record/recorder.ts";
import { chained, EventValue } from "./eventValue.ts";
import type { HookCall, HookRunner } from "./hookRunner.ts";
import { applyChanges, type Change, changesTo, type Fields, samePath, valueAt } from "./rewrites.ts";

/** The result of running a plan, before the answers are merged. */
export interface Execution {
  /** One per hook that counts, in plan order, with its runs combined. */
  readonly results: readonly HookExecutionResult[];
  readonly value: EventValue;
  readonly rewrites: readonly Rewrite[];
  readonly notes: readonly string[];
  readonly notRun: readonly PlannedHook[];
}

/** Runs the links of one event: tracks which hook saw which value, which changed it, and each one's final answer. */
export class LinkExecution {
  readonly #links: readonly PlannedHook[];
  readonly #call: HookCall;
  readonly #runner: HookRunner;
  readonly #sequential: boolean;
  #value: EventValue;
  readonly #results = new Map<PlannedHook, HookExecutionResult>();
  readonly #lastSeen = new Map<PlannedHook, EventValue>();
  /** A hook's version of the value it received, without other hooks' changes. */
  readonly #produced = new Map<PlannedHook, EventValue>();
  readonly #rewriters = new Set<PlannedHook>();
  readonly #rewrites: Rewrite[] = [];
  readonly #notes: string[] = [];

  constructor(links: readonly PlannedHook[], call: HookCall, runner: HookRunner, sequential: boolean) {
    this.#links = links;
    this.#call = call;
    this.#runner = runner;
    this.#sequential = sequential;
    this.#value = call.value;
  }

  /** Each hook sees the event with the changes of earlier hooks; a block or stop ends the chain. */
  async chain(): Promise<void> {
    await this.#runner.executeHooksSequential(this.#links, this.#call, (result, call) => {
      this.#take(result, this.#value);
      if (ends(result)) return null;
      this.#apply(result.hook, this.#changes(result, call.contexts), call.value);
      const contexts = call.spec.contextChain === null ? [] : [...call.contexts, ...(result.answer?.contexts ?? [])];
      return { ...call, value: this.#value, contexts };
    });
  }

  /** All hooks saw the original. If two change the same field, the earlier one wins, and the other runs again on the current value. */
  async settle(results: readonly HookExecutionResult[]): Promise<void> {
    const original = this.#value;
    for (const result of results) this.#take(result, original);
    if (results.some(ends)) return;

    const won: Change[] = [];
    const losers: PlannedHook[] = [];
    for (const result of results) {
      const changes = this.#changesOn(original.fields, result, []);
      const lost = changes.filter((change) => won.some((other) => clashes(other, change)));
      const kept = changes.filter((change) => !won.some((other) => samePath(other, change)));
      won.push(...kept);
      this.#apply(result.hook, kept, original);
      if (lost.length > 0) losers.push(result.hook);
    }
    for (const hook of losers) {
      const result = await this.#runner.executeHook(hook, { ...this.#call, value: this.#value, pass: "again" });
      this.#take(result, this.#value);
      if (ends(result)) return;
      const changes = this.#changes(result, []);
      for (const { path } of changes) {
        this.#notes.push(
          `${path.join(".")}: "${nameOf(hook)}" changed it after "${this.#whoChanged(path)}", starting from its value`,
        );
      }
      this.#apply(hook, changes, this.#value);
    }
  }

  /** Every link that has neither received nor itself produced the final value runs once more on it. */
  async secondPass(): Promise<void> {
    if (this.#rewriters.size === 0 || [...this.#results.values()].some(ends)) return;
    const unaware = this.#links.filter(
      (hook) => this.#lastSeen.get(hook) !== this.#value && this.#produced.get(hook) !== this.#value,
    );
    const call: HookCall = { ...this.#call, value: this.#value, pass: "second" };
    const take = (result: HookExecutionResult) => this.#take(this.#secondAnswer(result), this.#value);
    if (!this.#sequential) {
      for (const result of await this.#runner.executeHooksParallel(unaware, call)) take(result);
      return;
    }
    await this.#runner.executeHooksSequential(unaware, call, (result, current) => {
      take(result);
      return ends(result) ? null : current;
    });
  }

  outcome(): Execution {
    const results = this.#links.flatMap((hook) => this.#results.get(hook) ?? []);
    const notRun = this.#links.filter((hook) => !this.#results.has(hook));
    return { results, value: this.#value, rewrites: this.#rewrites, notes: this.#notes, notRun };
  }

  /** A rewrite on the second pass: an earlier rewriter's is ignored, any other blocks and names both hooks. */
  #secondAnswer(result: HookExecutionResult): HookExecutionResult {
    const { hook, answer } = result;
    const changes = this.#changes(result, []);
    if (!answer || changes.length === 0) return result;
    const fields = changes.map(({ path }) => path.join(".")).join(", ");
    if (this.#rewriters.has(hook)) {
      this.#notes.push(`a further rewrite of ${fields} by "${nameOf(hook)}" on the second pass was ignored`);
      return result;
    }
    const others = [...this.#rewriters].map((other) => `"${nameOf(other)}"`).join(", ");
    const reason = `Hook "${nameOf(hook)}" wants to change ${fields} after ${others} had already rewritten the input`;
    return result.with({ answer: { ...answer, blocks: true, reasons: [...answer.reasons, reason] } });
  }

  /** Objections of all runs count; messages and contexts are those of the last healthy one. */
  #take(result: HookExecutionResult, seen: EventValue): void {
    this.#lastSeen.set(result.hook, seen);
    const earlier = this.#results.get(result.hook);
    this.#results.set(result.hook, earlier ? combine(earlier, result) : result);
  }

  #changes(result: HookExecutionResult, contexts: readonly string[]): Change[] {
    return this.#changesOn(this.#value.fields, result, contexts);
  }

  #changesOn(fields: Fields, { answer }: HookExecutionResult, contexts: readonly string[]): Change[] {
    if (!answer || this.#call.spec.rewrites.length === 0) return [];
    return changesTo(fields, withoutContexts(answer.rewrites, this.#call.spec.contextChain, contexts), this.#call.spec);
  }

  #apply(hook: PlannedHook, changes: readonly Change[], received: EventValue): void {
    if (changes.length === 0) return;
    this.#rewriters.add(hook);
    for (const { path, value } of changes) {
      this.#rewrites.push({ path, before: valueAt(this.#value.fields, path), after: value, hook: nameOf(hook) });
    }
    const isOwn = received === this.#value;
    this.#value = new EventValue(applyChanges(this.#value.fields, changes));
    if (isOwn) this.#produced.set(hook, this.#value);
  }

  #whoChanged(path: readonly string[]): string {
    return (
      this.#rewrites.findLast((rewrite) => samePath({ path, value: null }, { path: rewrite.path, value: null }))
        ?.hook ?? "another hook"
    );
  }
}

/** Removes the contexts shown to the hook from a rewritten prompt: they are delivered anyway. */
function withoutContexts(rewrites: Fields, field: string | null, contexts: readonly string[]): Fields {
  const text = field === null ? undefined : rewrites[field];
  const suffix = chained(contexts);
  if (field === null || typeof text !== "string" || suffix === "" || !text.endsWith(suffix)) return rewrites;
  return { ...rewrites, [field]: text.slice(0, -suffix.length) };
}

/** Combines two runs of one hook: the objections of both, and everything else from the later one. */
export function combine(earlier: HookExecutionResult, later: HookExecutionResult): HookExecutionResult {
  const failed = earlier.failure ?? later.failure;
  return later.with({
    success: earlier.success && later.success,
    failure: failed,
    duration: earlier.duration + later.duration,
    notes: [...earlier.notes, ...later.notes],
    answer: combineAnswers(earlier.answer, later.answer),
    output: later.output ?? earlier.output,
  });
}

function combineAnswers(first: Answer | undefined, second: Answer | undefined): Answer | undefined {
  if (!first || !second) return first ?? second;
  return {
    ...second,
    blocks: first.blocks || second.blocks,
    stops: first.stops || second.stops,
    asks: first.asks || second.asks,
    reasons: union(first.blocks || first.asks || first.stops ? first.reasons : [], second.reasons),
    stopReasons: union(first.stopReasons, second.stopReasons),
    signals: second.signals.length > 0 ? second.signals : first.signals,
  };
}

/** Quotes a repeated objection once. */
const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])];

function clashes(winner: Change, change: Change): boolean {
  return samePath(winner, change) && JSON.stringify(winner.value) !== JSON.stringify(change.value);
}

export const ends = ({ answer, failure }: HookExecutionResult) =>
  answer?.blocks === true || answer?.stops === true || failure?.kind === "aborted";
const nameOf = ({ entry }: PlannedHook) => entry.config.name;
