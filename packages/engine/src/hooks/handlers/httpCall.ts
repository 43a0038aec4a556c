import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Captured } from "../../process/ending.ts";
import { KeptBytes } from "../../process/keptBytes.ts";
import { isShortage, Patience } from "../../process/shortage.ts";
import { type Ending, NOTHING_CAPTURED } from "../answer/ending.ts";

/** The endpoint that a hook's input is posted to, prepared for every run. */
export interface Endpoint {
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly options: RequestOptions;
  readonly hostname: string;
  readonly port: string;
}

export interface HttpLimits {
  readonly timeoutMs: number;
  /** From `performance.now()`. */
  readonly startedAt: number;
  readonly outputLimitBytes: number;
  readonly signal: AbortSignal | undefined;
  /** How long it may wait for a descriptor. */
  readonly patienceMs: number;
  readonly onWaited: (ms: number) => void;
}

/** One POST, from its start to its first ending. */
export class HttpCall {
  readonly #endpoint: Endpoint;
  readonly #body: string | Buffer;
  readonly #limits: HttpLimits;
  readonly #resolve: (ending: Ending) => void;
  readonly #kept: KeptBytes;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retried = false;
  #patience: Patience | undefined;
  #waitedMs = 0;
  #ended = false;

  constructor(endpoint: Endpoint, body: string | Buffer, limits: HttpLimits, resolve: (ending: Ending) => void) {
    this.#endpoint = endpoint;
    this.#body = body;
    this.#limits = limits;
    this.#kept = new KeptBytes(limits.outputLimitBytes);
    this.#resolve = resolve;
  }

  start(): void {
    const { signal } = this.#limits;
    if (this.#ended) return;
    if (signal?.aborted) {
      this.#end({ kind: "aborted", ...NOTHING_CAPTURED });
      return;
    }
    signal?.addEventListener("abort", this.#onAbort);
    this.#armTimer();
    this.#send(this.#endpoint.options);
  }

  #armTimer(): void {
    const { timeoutMs, startedAt } = this.#limits;
    const leftMs = Math.max(0, timeoutMs + this.#waitedMs - (performance.now() - startedAt));
    this.#timer = setTimeout(() => this.#cut({ kind: "timedOut", afterMs: timeoutMs, ...this.#captured() }), leftMs);
  }

  #send(options: RequestOptions): void {
    const request = this.#endpoint.request(options);
    this.#request = request;
    request.on("response", (response: IncomingMessage) => this.#receive(response));
    request.on("error", (error: NodeJS.ErrnoException) => this.#fail(request, error));
    request.end(this.#body); // in one call: Node then knows its length, and sends it with the headers
  }

  #receive(response: IncomingMessage): void {
    this.#response = response;
    response.on("data", (chunk: Buffer) => {
      if (this.#ended) return;
      this.#kept.add(chunk);
      if (this.#kept.truncated) this.#cut(this.#responded(response, "tooLong"));
    });
    response.on("end", () => this.#end(this.#responded(response, false)));
    // Every way in which an answer can break off ends here; without a listener some would throw.
    response.on("error", () => {});
    response.on("close", () => this.#end(this.#responded(response, "brokeOff")));
  }

  #fail(request: ClientRequest, error: NodeJS.ErrnoException): void {
    if (this.#ended) return;
    if (this.#response) {
      this.#cut(this.#responded(this.#response, "brokeOff"));
      return;
    }
    // If the other side closed an idle connection, that says nothing about the endpoint.
    if (request.reusedSocket && !this.#retried && isClosed(error)) {
      this.#retried = true;
      this.#send({ ...this.#endpoint.options, agent: false });
      return;
    }
    if (isShortage(error)) {
      void this.#sendAgain(error);
      return;
    }
    this.#end({ kind: "notStarted", cause: new Error(readable(error, this.#endpoint), { cause: error }) });
  }

  /** Out of descriptors: not the endpoint's fault, and the wait does not count towards its timeout. */
  async #sendAgain(cause: Error): Promise<void> {
    const { signal, patienceMs, onWaited } = this.#limits;
    this.#patience ??= new Patience(patienceMs, signal);
    clearTimeout(this.#timer);
    const startedAt = performance.now();
    const goesOn = await this.#patience.pause();
    this.#waitedMs += performance.now() - startedAt;
    onWaited(this.#waitedMs);
    if (this.#ended) return;
    if (!goesOn) {
      this.#end({ kind: "noCapacity", afterMs: Math.round(this.#patience.waitedMs), cause });
      return;
    }
    this.#armTimer();
    this.#send(this.#endpoint.options);
  }

  abort(): void {
    this.#cut({ kind: "aborted", ...this.#captured() });
  }

  readonly #onAbort = (): void => this.abort();

  #responded(response: IncomingMessage, truncated: false | "tooLong" | "brokeOff"): Ending {
    return { kind: "responded", status: response.statusCode ?? 0, body: this.#kept.text(), truncated };
  }

  /** Output received before the timeout may contain an objection. */
  #captured(): Captured {
    return { ...NOTHING_CAPTURED, stdout: this.#kept.text() };
  }

  /** Ends the call before the other side does. */
  #cut(ending: Ending): void {
    this.#end(ending);
    this.#request?.destroy();
  }

  #end(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#limits.signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve(ending);
  }
}

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === "ECONNRESET" || code === "EPIPE";
}

/** A readable reason for the failure; Node's messages are about system calls. */
function readable(error: NodeJS.ErrnoException, { hostname, port }: Endpoint): string {
  const { code = "", message } = error;
  const host = `${hostname}:${port}`;
  if (code === "ECONNREFUSED") return `nothing listens at ${host}`;
  if (code === "ENOTFOUND") return `there is no host ${hostname}`;
  if (isClosed(error)) return `${host} closed the connection before it answered`;
  if (code.startsWith("HPE_")) return `${host} did not answer with valid HTTP (${message})`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return `the certificate of ${host} is not accepted (${message})`;
  return `${host} cannot be reached (${message || code})`;
}
