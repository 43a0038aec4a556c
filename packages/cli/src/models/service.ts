import { REDACTED } from "@hookline/engine/program";
import { formsOf, withoutValues } from "@hookline/journal/program";
import { shortened } from "../terminal/visible.ts";
import { readFailure } from "./failureBody.ts";
import { GrowingBuffer } from "./growingBuffer.ts";
import type { HttpAnswer } from "./httpPost.ts";
import { ModelError } from "./modelError.ts";

const KEY = "[key]";
const SHORTEST_KEY = 8;
const MAX_REFUSAL_BYTES = 256 * 1024;

/** The service to name in errors. */
export interface Service {
  /** Begins a sentence: "The Gemini API". */
  readonly name: string;
  readonly key?: string;
  readonly keyVariable: string;
  readonly model: string;
}

/** Returns a successful response or throws a `ModelError` that says whether to retry. The request must not follow redirects: they would send the key and the conversation to another address. */
export async function send<Answer extends HttpAnswer>(
  service: Service,
  signal: AbortSignal,
  request: () => Promise<Answer>,
): Promise<Answer> {
  let response: Answer;
  try {
    response = await request();
  } catch (cause) {
    signal.throwIfAborted();
    const what = sentence(service, `${service.name} cannot be reached: ${causeOf(cause)}`);
    throw new ModelError({ what, isTransient: true, next: "Check the address and the network.", cause });
  }
  const isPage = response.headers.get("content-type")?.includes("text/html") === true;
  if (response.ok && !isPage) return response;
  if (response.ok) throw notAnAnswer(service, "a web page");
  const body = await beginningOf(response).catch(() => "");
  signal.throwIfAborted();
  throw failure(service, { status: response.status, headers: response.headers, body });
}

/** Reads the beginning of an error response, which is enough for its message. */
async function beginningOf({ body }: HttpAnswer): Promise<string> {
  const beginning = new GrowingBuffer();
  for await (const bytes of body ?? []) {
    beginning.add(bytes.subarray(0, MAX_REFUSAL_BYTES - beginning.length));
    if (beginning.length >= MAX_REFUSAL_BYTES) break;
  }
  return beginning.take();
}

interface Refusal {
  readonly status: number;
  readonly headers?: HttpAnswer["headers"];
  readonly body: string;
}

/** Converts an error status and the service's message to a `ModelError`. */
export function failure(service: Service, { status, headers, body }: Refusal): ModelError {
  const { message, isKeyFault, isSpent, retryAfterMs = headerMs(headers) } = readFailure(body);
  const answered = (how: string) => sentence(service, `${service.name} ${how}${message === "" ? "" : `: ${message}`}`);
  if (status === 401 && service.key === undefined) {
    const how = `requires a key, and ${service.keyVariable} is not set (401)`;
    return new ModelError({ code: "MODEL_KEY_MISSING", what: answered(how) });
  }
  if (status === 401 || status === 403 || isKeyFault) {
    return new ModelError({ code: "MODEL_KEY_REFUSED", what: answered(`refused the key (${status})`) });
  }
  if (status === 404) {
    const model = shortened(JSON.stringify(service.model), 100);
    const next = "Check the name of the model, and the base URL if you have set one.";
    return new ModelError({ what: answered(`does not know the model ${model} (404)`), next });
  }
  const isTransient = (status === 408 || status === 429 || status >= 500) && !isSpent;
  return new ModelError({
    what: answered(`answered ${status}`),
    isTransient,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** An answer that began but was not completed. */
export function broken(service: Service, how: string, cause?: unknown): ModelError {
  return new ModelError({ what: sentence(service, `${service.name} ${how}`), isTransient: true, cause });
}

/** Another service answered at this address. Not transient: a retry would reach it too. */
export function notAnAnswer(service: Service, what: string): ModelError {
  const next = "Check the base URL; a proxy or a login page may have answered instead of the service.";
  return new ModelError({
    what: sentence(service, `${service.name} sent something other than a model's answer: ${what}`),
    next,
  });
}

/** One line that may contain untrusted text, with the key removed. Short words such as "ollama" are not treated as keys. */
export function sentence({ key = "" }: Service, text: string): string {
  const safe = key.length < SHORTEST_KEY ? text : withoutKey(key, text);
  const line = shortened(safe.trim().replaceAll(/\s+/g, " "), 400);
  return /[.?!…]$/.test(line) ? line : `${line}.`;
}

/** Also removes encoded forms of the key: base64, hexadecimal, escaped for an address or for JSON. */
function withoutKey(key: string, text: string): string {
  return withoutValues(formsOf(key))(text.replaceAll(key, KEY)).replaceAll(REDACTED, KEY);
}

/** `fetch` reports only that it failed; the reason is in `cause`. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return causeOf(error.cause);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

/** The header's value in seconds or as a date. */
function headerMs(headers: HttpAnswer["headers"] | undefined): number | undefined {
  const text = headers?.get("retry-after")?.trim();
  if (!text) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
