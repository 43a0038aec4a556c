import { isShortage } from "../../process/shortage.ts";
import { fieldOf } from "../answer/answer.ts";
import { type Ending, NOTHING_CAPTURED } from "../answer/ending.ts";
import type { HookRun, Services } from "./handler.ts";

/** A function in this process. Its input is a copy: its changes affect no other hook. */
export type Action = (
  input: Record<string, unknown>,
  context: { readonly signal: AbortSignal },
) => unknown | Promise<unknown>;

export function isAction(value: unknown): value is Action {
  return typeof value === "function";
}

/** One call of an action, from its start to its first ending. */
export class ActionCall {
  readonly #run: HookRun;
  readonly #services: Pick<Services, "lateTimers" | "openRuns">;
  readonly #resolve: (ending: Ending) => void;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onAbort: (() => void) | undefined;
  #isShort: (() => boolean) | undefined;
  ended = false;

  constructor(run: HookRun, services: Pick<Services, "lateTimers" | "openRuns">, resolve: (ending: Ending) => void) {
    this.#run = run;
    this.#services = services;
    this.#resolve = resolve;
  }

  /** For the action. Created on demand: most never use it, and an AbortController costs as much as the rest of the call. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  start(action: Action): void {
    const ending = this.#launch(action);
    if (ending) this.#end(ending);
    else if (!this.ended) this.#services.lateTimers.add(this);
  }

  abort(): void {
    this.#end(ABORTED);
    this.#controller?.abort();
  }

  /** For an action that is still loading: loading counts towards the timeout, except while there are no descriptors for it. */
  startWhen(loading: Promise<Action>, isShort: () => boolean): void {
    if (this.#run.signal?.aborted) {
      this.#end(ABORTED);
      return;
    }
    this.#isShort = isShort;
    this.#endOnAbort();
    this.armTimer();
    loading.then(
      (action) => {
        this.#isShort = undefined;
        if (!this.ended) this.start(action);
      },
      (cause: Error) => this.#end(isShortage(cause) ? this.#noCapacity(cause) : { kind: "notStarted", cause }),
    );
  }

  /** Calls the action; returns the ending, if there is one already. */
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
    this.#onAbort = () => this.abort();
    // The action itself may have caused the abort before we started to listen.
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort);
  }

  /** It takes longer than this turn of the event loop: from now on its timeout and `dispose()` can end it. */
  armTimer(): void {
    if (this.#timer) return;
    const { limitMs: timeoutMs } = this.#run;
    const leftMs = Math.max(0, timeoutMs - (performance.now() - this.#run.startedAt - this.#run.waitedMs));
    this.#timer = setTimeout(() => this.#timeOut(timeoutMs), leftMs);
    this.#services.openRuns.add(this);
  }

  #timeOut(afterMs: number): void {
    if (this.#isShort?.()) {
      this.#run.waitedMs += SHORTAGE_MS;
      this.#timer = undefined;
      this.armTimer();
      return;
    }
    this.#end({ kind: "timedOut", afterMs, ...NOTHING_CAPTURED });
    this.#controller?.abort();
  }

  #noCapacity(cause: Error): Ending {
    return { kind: "noCapacity", afterMs: Math.round(performance.now() - this.#run.startedAt), cause };
  }

  #end(ending: Ending): void {
    if (this.ended) return;
    this.ended = true;
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#services.openRuns.delete(this);
    }
    if (this.#onAbort) this.#run.signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve(ending);
  }
}

/** The extension of a deadline that expires while there are no descriptors. */
const SHORTAGE_MS = 250;

const ABORTED: Ending = { kind: "aborted", ...NOTHING_CAPTURED };

/** If reading `then` throws, the answer is not a promise; it may still object. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && typeof fieldOf(value, "then") === "function";
}
