import { HooklineError } from "../errors.ts";
import type { RequestOptions } from "./messageBus.ts";
import type { HookExecutionResponse } from "./messages.ts";

/**
 * The hooks of a request have timeouts of their own, a minute each unless they say otherwise, and several may run in
 * turn. So this is no limit to them; it is there for a bus whose other end is gone.
 */
const DEFAULT_TIMEOUT_MS = 300_000;

interface Pending {
  readonly resolve: (response: HookExecutionResponse) => void;
  readonly reject: (error: HooklineError) => void;
}

/** Requests that wait for their responses, by correlation id. Whatever ends the waiting leaves nothing behind. */
export class PendingRequests {
  readonly #pending = new Map<string, Pending>();

  /** The response to come; throws where none can. An id is waited for once: two could not tell their answers apart. */
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
      // It keeps the process alive: who awaits a guard's answer must get one, or be told that there is none.
      const timer = setTimeout(() => pending.reject(unanswered(timeoutMs)), timeoutMs);
      signal?.addEventListener("abort", onAbort);
      this.#pending.set(correlationId, pending);
    });
  }

  /** An answer that nobody waits for any more is dropped. */
  answer(response: HookExecutionResponse): void {
    this.#pending.get(response.correlationId)?.resolve(response);
  }

  rejectAll(error: HooklineError): void {
    for (const pending of [...this.#pending.values()]) pending.reject(error);
  }
}

function aborted(): HooklineError {
  return new HooklineError({ code: "ABORTED", what: "The hook request was cancelled by its caller." });
}

function unanswered(timeoutMs: number): HooklineError {
  return new HooklineError({
    code: "BUS_UNANSWERED",
    what: `Nobody answered the hook request within ${timeoutMs} ms.`,
  });
}

function unusable(correlationId: string): HooklineError {
  const what = `The correlation id "${correlationId}" cannot be used: it is empty, or a request with it is under way.`;
  return new HooklineError({ code: "INPUT_INVALID", what, next: "Leave it out, and the request gets one." });
}
