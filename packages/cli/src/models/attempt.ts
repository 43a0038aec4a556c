import { ModelError } from "./modelError.ts";
import { type Service, sentence } from "./service.ts";

/** A model that sends nothing for this long counts as unreachable. */
export const IDLE_MS = 120_000;

/** A running request. It ends with its answer, at the caller's abort, or at the idle timeout. */
export class Attempt {
  /** Aborts the connection. */
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #idle: NodeJS.Timeout;
  #silence: ModelError | undefined;

  constructor(service: Service, caller: AbortSignal | undefined, idleMs = IDLE_MS) {
    this.#caller = caller;
    this.signal = caller ? AbortSignal.any([caller, this.#own.signal]) : this.#own.signal;
    this.#idle = setTimeout(() => {
      this.#silence = silent(service, idleMs);
      this.#own.abort(this.#silence);
    }, idleMs);
  }

  /** Restarts the idle timeout. Not to be called for comments and empty events, which only keep a connection open. */
  heard(): void {
    this.#idle.refresh();
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#own.abort();
  }

  /** Why the attempt was aborted, whatever error that caused. */
  get endedBy(): unknown {
    return this.#caller?.aborted ? this.#caller.reason : this.#silence;
  }
}

function silent(service: Service, idleMs: number): ModelError {
  const seconds = Math.max(1, Math.round(idleMs / 1000));
  const what = sentence(service, `${service.name} sent no part of an answer for ${seconds} s`);
  const next = "Check the service. HOOKLINE_MODEL_IDLE_MS sets how long to wait for a slow model, in milliseconds.";
  return new ModelError({ what, next });
}
