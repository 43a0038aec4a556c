import type { GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import { readBody, serverEvents } from "./answerBody.ts";
import { Attempt } from "./attempt.ts";
import type { ContentGenerator } from "./contentGenerator.ts";
import type { Endpoint } from "./endpoint.ts";
import { finished, finishedAtOnce } from "./finished.ts";
import { type HttpAnswer, httpPost } from "./httpPost.ts";
import { ModelError } from "./modelError.ts";
import { AnswerReader } from "./openai/answer.ts";
import { requestBody } from "./openai/requestBody.ts";
import { type Completion, completion, saysSomething } from "./openai/wire.ts";
import { broken, causeOf, failure, type Service, send } from "./service.ts";

/** Any server with OpenAI's chat completions API: Ollama, vLLM, OpenAI itself. All translation happens here. */
export function openAiModel(endpoint: Endpoint): ContentGenerator {
  return {
    async generateContent(request, signal) {
      const service = serviceFor(endpoint, request);
      const body = bodyFor(endpoint, request, false);
      const attempt = new Attempt(service, signal, endpoint.idleMs);
      try {
        const response = await post(endpoint, service, { body, signal: attempt.signal });
        const text = await readBody(service, response.body);
        return finishedAtOnce(service, new AnswerReader().read(readCompletion(service, text)));
      } catch (error) {
        throw meaningOf(error, service, attempt);
      } finally {
        attempt.end();
      }
    },
    async *generateContentStream(request, signal) {
      const service = serviceFor(endpoint, request);
      const body = bodyFor(endpoint, request, true);
      const attempt = new Attempt(service, signal, endpoint.idleMs);
      try {
        const response = await post(endpoint, service, { body, signal: attempt.signal });
        yield* finished(service, readAnswer(service, response, attempt));
      } catch (error) {
        throw meaningOf(error, service, attempt);
      } finally {
        attempt.end();
      }
    },
  };
}

function serviceFor({ baseUrl = "", key }: Endpoint, { model }: GenerateContentParameters): Service {
  const name = `The server at ${new URL(baseUrl).host}`;
  return { name, model, keyVariable: "OPENAI_API_KEY", ...(key !== undefined && { key }) };
}

function bodyFor({ baseUrl = "" }: Endpoint, request: GenerateContentParameters, stream: boolean): string {
  const limitField = new URL(baseUrl).host === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
  return JSON.stringify(requestBody(request, { stream, limitField }));
}

interface Sending {
  readonly body: string;
  readonly signal: AbortSignal;
}

function post({ baseUrl = "", key }: Endpoint, service: Service, { body, signal }: Sending): Promise<HttpAnswer> {
  const headers = {
    "content-type": "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return send(service, signal, () => httpPost(`${baseUrl}/chat/completions`, { headers, body, signal }));
}

async function* readAnswer(
  service: Service,
  response: HttpAnswer,
  attempt: Attempt,
): AsyncGenerator<GenerateContentResponse> {
  const reader = new AnswerReader();
  // A server without streaming ignores `stream` and sends the answer in one piece.
  if (response.headers.get("content-type")?.includes("application/json")) {
    yield reader.read(readCompletion(service, await readBody(service, response.body)));
    return;
  }
  for await (const data of serverEvents(service, response.body)) {
    if (data === "[DONE]") return;
    const piece = readCompletion(service, data);
    if (saysSomething(piece)) attempt.heard();
    yield reader.read(piece);
  }
}

function readCompletion(service: Service, text: string): Completion {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken(service, "sent something that is not JSON", cause);
  }
  const read = completion.safeParse(value);
  if (read.success) return read.data;
  if (typeof value === "object" && value !== null && "error" in value) {
    throw failure(service, { status: statusIn(value.error) ?? 500, body: text });
  }
  throw broken(service, "sent something that is not a chat completion", read.error);
}

/** An error inside an answer has no HTTP status; some servers put one into its body. */
function statusIn(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const code = Number(error.code);
  return code >= 400 && code < 600 ? code : undefined;
}

function meaningOf(error: unknown, service: Service, { endedBy }: Attempt): unknown {
  if (endedBy !== undefined) return endedBy;
  return error instanceof ModelError ? error : broken(service, `interrupted its answer: ${causeOf(error)}`, error);
}
