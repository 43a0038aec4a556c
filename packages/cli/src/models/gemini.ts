import type { GenerateContentParameters, GoogleGenAI } from "@google/genai";
import type { ContentGenerator } from "./contentGenerator.ts";
import type { Endpoint } from "./endpoint.ts";
import { finished, finishedAtOnce } from "./finished.ts";
import { ModelError } from "./modelError.ts";
import { responseFrom } from "./response.ts";
import { broken, causeOf, failure, type Service, send, sentence } from "./service.ts";

/** The Gemini API, through its SDK, which is loaded at the first request. */
export function geminiModel(endpoint: Endpoint): ContentGenerator {
  let client: Promise<GoogleGenAI> | undefined;
  const openModels = async () => {
    client ??= openClient(endpoint);
    return (await client).models;
  };
  return {
    async generateContent(request, signal) {
      const call = new GeminiCall(endpoint, request, signal);
      const models = await openModels();
      try {
        const response = await models.generateContent(call.request);
        return finishedAtOnce(call.service, responseFrom({ ...response }));
      } catch (error) {
        throw call.meaningOf(error);
      }
    },
    async *generateContentStream(request, signal) {
      const call = new GeminiCall(endpoint, request, signal);
      const models = await openModels();
      const chunks = async function* () {
        for await (const chunk of await models.generateContentStream(call.request)) yield responseFrom({ ...chunk });
      };
      try {
        yield* finished(call.service, chunks());
      } catch (error) {
        throw call.meaningOf(error);
      } finally {
        call.end();
      }
    },
  };
}

async function openClient({ key, baseUrl }: Endpoint): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import("@google/genai");
  // Said in so many words, because the SDK would look into the environment for what is left out.
  return new GoogleGenAI({
    vertexai: false,
    ...(key !== undefined && { apiKey: key }),
    httpOptions: { baseUrl: baseUrl ?? "https://generativelanguage.googleapis.com" },
  });
}

/** One request, and what its errors mean. */
class GeminiCall {
  readonly service: Service;
  readonly request: GenerateContentParameters;
  readonly #signal: AbortSignal | undefined;
  readonly #ended = new AbortController();
  #wasSent = false;

  constructor({ key }: Endpoint, request: GenerateContentParameters, signal: AbortSignal | undefined) {
    const keyVariable = "GEMINI_API_KEY";
    this.service = { name: "The Gemini API", model: request.model, keyVariable, ...(key !== undefined && { key }) };
    this.#signal = signal;
    const { abortSignal: _signal, ...config } = request.config ?? {};
    this.request = {
      ...request,
      config: {
        ...config,
        // Calls are the agent's to run, with its hooks.
        automaticFunctionCalling: { disable: true },
        // Without `retryOptions` the SDK makes one attempt. With our own `fetch` the headers of a refusal can be read.
        httpOptions: { fetch: (url, init) => this.#fetch(url, init) },
      },
    };
  }

  #fetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    this.#wasSent = true;
    const { signal: _signal, ...rest } = init;
    const address = url instanceof Request ? url.url : url;
    const signal = this.#signal ? AbortSignal.any([this.#signal, this.#ended.signal]) : this.#ended.signal;
    return send(this.service, address, { ...rest, signal });
  }

  /** The SDK lets go of a stream that nobody reads on, and leaves its connection open. */
  end(): void {
    this.#ended.abort();
  }

  /** The SDK throws whatever it meets. */
  meaningOf(error: unknown): unknown {
    if (this.#signal?.aborted) return this.#signal.reason;
    if (error instanceof ModelError) return error;
    if (!this.#wasSent) {
      const what = sentence(this.service, `The request cannot be sent: ${causeOf(error)}`);
      return new ModelError({ what, next: "Check the name of the model, and what hooks changed.", cause: error });
    }
    const status = statusOf(error);
    if (status === undefined) return broken(this.service, `broke off its answer: ${causeOf(error)}`, error);
    return failure(this.service, { status, body: causeOf(error).replace(/^got status: \w+\. /, "") });
  }
}

/** Of an error that stands in the middle of a stream. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;
}
