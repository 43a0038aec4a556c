import { z } from "zod";
import type { Ending } from "../ending.ts";
import { NOTHING_CAPTURED } from "../ending.ts";
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
  run(run) {
    return new Promise((resolve) => startAction(run, resolve));
  },
};

function startAction({ hook, value, view, signal }: HookRun, resolve: (ending: Ending) => void): void {
  const action = hook.config.target?.fields.action;
  const { timeoutMs } = hook.config;
  if (!isAction(action)) return resolve({ kind: "notStarted", cause: new Error("there is no function to call") });
  if (signal?.aborted) return resolve({ kind: "aborted", ...NOTHING_CAPTURED });

  const context = new ActionContext();
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const end = (ending: Ending) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    resolve(ending);
  };
  const onAbort = () => {
    end({ kind: "aborted", ...NOTHING_CAPTURED });
    context.abort();
  };
  const returned = (answer: unknown) => {
    const tookMs = performance.now() - startedAt;
    // A timer cannot fire while the thread is held, so the clock is asked as well.
    if (tookMs > timeoutMs) end({ kind: "overran", afterMs: Math.round(tookMs), value: answer });
    else end({ kind: "returned", value: answer });
  };

  try {
    const answer = action(value.copy(view), context);
    if (!isThenable(answer)) return returned(answer);
    answer.then(returned, (error: unknown) => end({ kind: "threw", error }));
  } catch (error) {
    return end({ kind: "threw", error });
  }
  timer = setTimeout(() => {
    end({ kind: "timedOut", afterMs: timeoutMs, ...NOTHING_CAPTURED });
    context.abort();
  }, timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
}

/** Most actions never ask for the signal, and an AbortController costs as much as the rest of the call. */
class ActionContext {
  #controller: AbortController | undefined;
  #aborted = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
