import { ModelError } from "./modelError.ts";
import { type Service, sentence } from "./service.ts";

/** A model that says nothing for so long is taken for gone. */
export const IDLE_MS = 120_000;

/** One request under way: it ends with its answer, by its caller, or because nothing of an answer comes any more. */
export class Attempt {
  /** For the connection. */
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

  /** Something of the answer came. Comments and empty events keep a connection open, and are not that. */
  heard(): void {
    this.#idle.refresh();
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#own.abort();
  }

  /** Why it was ended, whatever error that led to. */
  get endedBy(): unknown {
    return this.#caller?.aborted ? this.#caller.reason : this.#silence;
  }
}

function silent(service: Service, idleMs: number): ModelError {
  const seconds = Math.max(1, Math.round(idleMs / 1000));
  const what = sentence(service, `${service.name} sent nothing of an answer for ${seconds} s`);
  const next = "Check the service. HOOKLINE_MODEL_IDLE_MS sets how long to wait for a slow model, in milliseconds.";
  return new ModelError({ what, next });
}
