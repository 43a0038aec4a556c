import { fieldOf } from "../answer.ts";
import type { Ending } from "../ending.ts";
import { NOTHING_CAPTURED } from "../ending.ts";
import type { LateTimers } from "../lateTimers.ts";
import type { HookRun } from "./handler.ts";

/** A function in this process. Its input is a copy: what it changes there reaches nobody. */
export type Action = (
  input: Record<string, unknown>,
  context: { readonly signal: AbortSignal },
) => unknown | Promise<unknown>;

export function isAction(value: unknown): value is Action {
  return typeof value === "function";
}

/** One call of an action, from its start to whatever ends it first. */
export class ActionCall {
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

  start(action: Action): void {
    const ending = this.#launch(action);
    if (ending) this.#end(ending);
    else this.#timers.add(this);
  }

  /** For an action that is still being loaded: waiting for it counts. */
  startWhen(loading: Promise<Action>): void {
    if (this.#run.signal?.aborted) {
      this.#end(ABORTED);
      return;
    }
    this.#endOnAbort();
    this.armTimer();
    loading.then(
      (action) => {
        if (!this.ended) this.start(action);
      },
      (cause: Error) => this.#end({ kind: "notStarted", cause }),
    );
  }

  /** Calls the action; the ending, if it has one already. */
  #launch(action: Action): Ending | undefined {
    const { value, view, signal } = this.#run;
    if (signal?.aborted) return ABORTED;
    try {
      const answer = action(value.copy(view), this);
      if (!isThenable(answer)) return { kind: "returned", value: answer };
      this.#endOnAbort();
      answer.then(
        (value) => this.#end({ kind: "returned", value }),
        (error: unknown) => this.#end({ kind: "threw", error }),
      );
      return undefined;
    } catch (error) {
      return { kind: "threw", error };
    }
  }

  #endOnAbort(): void {
    const { signal } = this.#run;
    if (!signal || this.#onAbort) return;
    this.#onAbort = () => {
      this.#end(ABORTED);
      this.#controller?.abort();
    };
    // The action itself may have caused the abort before we could listen.
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort);
  }

  armTimer(): void {
    if (this.#timer) return;
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

/** An answer whose `then` cannot be looked at is not a promise; it may still object. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof fieldOf(value, "then") === "function";
}
