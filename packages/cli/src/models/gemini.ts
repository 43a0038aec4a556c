import type { GenerateContentParameters, GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { readBody, serverEvents } from "./answerBody.ts";
import { Attempt } from "./attempt.ts";
import type { ContentGenerator } from "./contentGenerator.ts";
import type { Endpoint } from "./endpoint.ts";
import { finished, finishedAtOnce } from "./finished.ts";
import { ModelError } from "./modelError.ts";
import { responseFrom } from "./response.ts";
import { broken, causeOf, failure, type Service, send, sentence } from "./service.ts";

/** The Gemini API through its SDK, which is loaded at the first request. */
export function geminiModel(endpoint: Endpoint): ContentGenerator {
  let client: Promise<GoogleGenAI> | undefined;
  const openModels = async () => {
    client ??= openClient(endpoint);
    return (await client).models;
  };
  return {
    async generateContent(request, signal) {
      const models = await openModels();
      const call = new GeminiCall(endpoint, request, signal);
      try {
        const response = await models.generateContent(call.request);
        return finishedAtOnce(call.service, responseFrom({ ...response }));
      } catch (error) {
        throw call.meaningOf(error);
      } finally {
        call.attempt.end();
      }
    },
    async *generateContentStream(request, signal) {
      const models = await openModels();
      const call = new GeminiCall(endpoint, request, signal);
      const chunks = async function* () {
        for await (const chunk of await models.generateContentStream(call.request)) {
          if (saysSomething(chunk)) call.attempt.heard();
          yield responseFrom({ ...chunk });
        }
      };
      try {
        yield* finished(call.service, chunks());
      } catch (error) {
        throw call.meaningOf(error);
      } finally {
        call.attempt.end(); // if a stream is not read to its end, the SDK leaves the connection open
      }
    },
  };
}

async function openClient({ key, baseUrl }: Endpoint): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import("@google/genai");
  // Set every option: the SDK would read missing ones from the environment.
  return new GoogleGenAI({
    vertexai: false,
    ...(key !== undefined && { apiKey: key }),
    httpOptions: { baseUrl: baseUrl ?? "https://generativelanguage.googleapis.com" },
  });
}

/** A request, and the interpretation of its errors. */
class GeminiCall {
  readonly service: Service;
  readonly request: GenerateContentParameters;
  readonly attempt: Attempt;
  #wasSent = false;

  constructor({ key, idleMs }: Endpoint, request: GenerateContentParameters, signal: AbortSignal | undefined) {
    const keyVariable = "GEMINI_API_KEY";
    this.service = { name: "The Gemini API", model: request.model, keyVariable, ...(key !== undefined && { key }) };
    this.attempt = new Attempt(this.service, signal, idleMs);
    const { abortSignal: _signal, ...config } = request.config ?? {};
    this.request = {
      ...request,
      config: {
        ...config,
        // The agent runs calls itself, with its hooks.
        automaticFunctionCalling: { disable: true },
        // Without `retryOptions` the SDK makes one attempt. Our own `fetch` gives access to the headers of an error response.
        httpOptions: { fetch: (url, init) => this.#fetch(url, init) },
      },
    };
  }

  async #fetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    this.#wasSent = true;
    const { signal: _signal, ...rest } = init;
    const address = url instanceof Request ? url.url : url;
    const { signal } = this.attempt;
    const response = await send(this.service, signal, () => fetch(address, { ...rest, signal, redirect: "manual" }));
    const { status, headers } = response;
    const isStream = headers.get("content-type")?.includes("application/json") !== true;
    const body = isStream ? this.#events(response) : await readBody(this.service, response.body);
    return new Response(body, { status, headers });
  }

  /** Splits the stream into whole events within our bounds: the SDK has no bounds, and scans its buffer again with every piece. */
  #events({ body }: Response): ReadableStream<Uint8Array> {
    const events = serverEvents(this.service, body);
    const encoder = new TextEncoder();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`data: ${value.replaceAll("\n", "\ndata: ")}\n\n`));
      },
      async cancel() {
        await events.return(undefined);
      },
    });
  }

  /** Converts an error of the SDK, which may throw any value. */
  meaningOf(error: unknown): unknown {
    const { endedBy } = this.attempt;
    if (endedBy !== undefined) return endedBy;
    if (error instanceof ModelError) return error;
    if (!this.#wasSent) {
      const what = sentence(this.service, `The request could not be sent: ${causeOf(error)}`);
      return new ModelError({
        what,
        next: "Check the name of the model, and the changes that hooks made.",
        cause: error,
      });
    }
    const status = statusOf(error);
    if (status === undefined) return broken(this.service, `interrupted its answer: ${causeOf(error)}`, error);
    return failure(this.service, { status, body: causeOf(error).replace(/^got status: \w+\. /, "") });
  }
}

function saysSomething({ candidates = [] }: GenerateContentResponse): boolean {
  return candidates.some(({ content, finishReason }) => Boolean(finishReason) || (content?.parts?.length ?? 0) > 0);
}

/** The status of an error within a stream. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;
}
