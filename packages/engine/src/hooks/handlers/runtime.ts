import { z } from "zod";
import type { Ending } from "../ending.ts";
import { NOTHING_CAPTURED } from "../ending.ts";
import type { LateTimers } from "../lateTimers.ts";
import type { HookHandler, HookRun } from "./handler.ts";

/** A function in the embedding program. Its input is a copy: what it changes there reaches nobody. */
export type RuntimeAction = (
  input: Record<string, unknown>,
  context: { readonly signal: AbortSignal },
) => unknown | Promise<unknown>;

function isAction(value: unknown): value is RuntimeAction {
  return typeof value === "function";
}

export const runtimeHandler: HookHandler = {
  kind: {
    type: "runtime",
    yamlKind: null,
    fields: z.object({ action: z.custom<RuntimeAction>(isAction) }),
    resolve: (fields) => ({ fields, identity: fields.action, files: [], uncovered: [] }),
  },
  start: ({ lateTimers }) => ({
    run: (run) => new Promise((resolve) => new ActionCall(run, lateTimers, resolve).start()),
  }),
};

/** One call of an action, from its start to whatever ends it first. */
class ActionCall {
  readonly #run: HookRun;
  readonly #timers: LateTimers;
  readonly #resolve: (ending: Ending) => void;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onAbort: (() => void) | undefined;
  ended = false;

  constructor(run: HookRun, timers: LateTimers, resolve: (ending: Ending) => void) {
    this.#run = run;
    this.#timers = timers;
    this.#resolve = resolve;
  }

  /** For the action. Made on request: most never ask, and an AbortController costs as much as the rest of the call. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  start(): void {
    const ending = this.#launch();
    if (ending) this.#end(ending);
    else this.#timers.add(this);
  }

  /** Calls the action; the ending, if it has one already. */
  #launch(): Ending | undefined {
    const { hook, value, view, signal } = this.#run;
    const action = hook.config.target?.fields.action;
    if (!isAction(action)) return { kind: "notStarted", cause: new Error("there is no function to call") };
    if (signal?.aborted) return ABORTED;
    try {
      const answer = action(value.copy(view), this);
      if (!isThenable(answer)) return { kind: "returned", value: answer };
      if (signal) {
        this.#onAbort = () => {
          this.#end(ABORTED);
          this.#controller?.abort();
        };
        signal.addEventListener("abort", this.#onAbort);
      }
      answer.then(
        (value) => this.#end({ kind: "returned", value }),
        (error: unknown) => this.#end({ kind: "threw", error }),
      );
      return undefined;
    } catch (error) {
      return { kind: "threw", error };
    }
  }

  armTimer(): void {
    const { timeoutMs } = this.#run.hook.config;
    const leftMs = Math.max(0, timeoutMs - (performance.now() - this.#run.startedAt));
    this.#timer = setTimeout(() => {
      this.#end({ kind: "timedOut", afterMs: timeoutMs, ...NOTHING_CAPTURED });
      this.#controller?.abort();
    }, leftMs);
  }

  #end(ending: Ending): void {
    if (this.ended) return;
    this.ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#onAbort) this.#run.signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve(ending);
  }
}

const ABORTED: Ending = { kind: "aborted", ...NOTHING_CAPTURED };

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
