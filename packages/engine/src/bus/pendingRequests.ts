import { HooklineError } from "../errors.ts";
import type { RequestOptions } from "./messageBus.ts";
import type { HookExecutionResponse } from "./messages.ts";

/**
 * Hooks have their own timeouts, a minute each by default, and several may run in sequence. This limit is not meant
 * for them, but for a bus whose other end is gone.
 */
const DEFAULT_TIMEOUT_MS = 300_000;

interface Pending {
  readonly resolve: (response: HookExecutionResponse) => void;
  readonly reject: (error: HooklineError) => void;
}

/** Requests that wait for their responses, by correlation id. However a wait ends, it leaves no timer or listener behind. */
export class PendingRequests {
  readonly #pending = new Map<string, Pending>();

  /** Returns the future response; throws if there can be none. Each id can wait only once: two waits could not tell their answers apart. */
  expect(
    correlationId: string,
    { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: RequestOptions,
  ): Promise<HookExecutionResponse> {
    if (signal?.aborted) throw aborted();
    if (correlationId === "" || this.#pending.has(correlationId)) throw unusable(correlationId);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#pending.delete(correlationId);
      };
      const pending: Pending = {
        resolve: (response) => {
          end();
          resolve(response);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      const onAbort = () => pending.reject(aborted());
      // Keeps the process alive: a caller that awaits a guard's answer must get an answer or an error.
      const timer = setTimeout(() => pending.reject(unanswered(timeoutMs)), timeoutMs);
      signal?.addEventListener("abort", onAbort);
      this.#pending.set(correlationId, pending);
    });
  }

  /** Drops an answer that is no longer awaited. */
  answer(response: HookExecutionResponse): void {
    this.#pending.get(response.correlationId)?.resolve(response);
  }

  rejectAll(error: HooklineError): void {
    for (const pending of [...this.#pending.values()]) pending.reject(error);
  }
}

function aborted(): HooklineError {
  return new HooklineError({ code: "ABORTED", what: "The caller cancelled the hook request." });
}

function unanswered(timeoutMs: number): HooklineError {
  return new HooklineError({
    code: "BUS_UNANSWERED",
    what: `No handler answered the hook request within ${timeoutMs} ms.`,
  });
}

function unusable(correlationId: string): HooklineError {
  const what = `The correlation id "${correlationId}" cannot be used: it is empty, or a request with it is under way.`;
  return new HooklineError({ code: "INPUT_INVALID", what, next: "Leave it out to have one generated." });
}
