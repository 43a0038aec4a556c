import type { Content } from "@google/genai";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { geminiModel } from "../../src/models/gemini.ts";
import { joinChunks } from "../../src/models/joinChunks.ts";
import { RETRY_POLICY, streamWithRetries } from "../../src/models/retries.ts";
import { geminiCalls, geminiChunk, geminiError, geminiSays, startGeminiServer } from "../support/geminiServer.ts";
import { all, failureOf, finalText, question, streamText } from "../support/modelCalls.ts";
import type { Reply } from "../support/modelServer.ts";

const KEY = "AIza-secret";

async function geminiWith(...replies: readonly Reply[]) {
  const server = await startGeminiServer(replies);
  return { server, model: geminiModel({ key: KEY, baseUrl: server.url }) };
}

const QUICK = { ...RETRY_POLICY, baseMs: 1 };
const quickly = async (model: ReturnType<typeof geminiModel>) =>
  all(streamWithRetries(model, question(), { policy: QUICK }));

test("a stream arrives chunk by chunk, with the getters of the SDK and no raw response", async () => {
  const { server, model } = await geminiWith(geminiSays("Hel", "lo"));
  const chunks = await all(model.generateContentStream(question("Hi", { temperature: 0 })));
  expect(chunks.map(({ text }) => text)).toEqual(["Hel", "lo"]);
  expect(joinChunks(chunks)).toMatchObject({
    candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text: "Hello" }] } }],
    usageMetadata: { totalTokenCount: 10 },
  });
  expect(JSON.stringify(chunks)).not.toContain("sdkHttpResponse");
  const [sent] = server.requests;
  expect(sent?.path).toBe("/v1beta/models/test-model:streamGenerateContent?alt=sse");
  expect(sent?.headers["x-goog-api-key"]).toBe(KEY);
  expect(sent?.body).toMatchObject({
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    generationConfig: { temperature: 0 },
  });
});

test("an answer in one piece", async () => {
  const { model } = await geminiWith({ kind: "json", body: geminiChunk([{ text: "Hello" }], "STOP") });
  expect((await model.generateContent(question())).text).toBe("Hello");
});

test("a call and its result go round", async () => {
  const { server, model } = await geminiWith(geminiCalls("read_file", { path: "a.txt" }), geminiSays("It says x."));
  const tools = [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: { type: "object" } }] }];
  const request = question("Read a.txt", { tools, systemInstruction: "Be brief." });
  const call = joinChunks(await all(model.generateContentStream(request)));
  expect(call.functionCalls).toEqual([{ name: "read_file", args: { path: "a.txt" } }]);
  const history: Content[] = [
    { role: "user", parts: [{ text: "Read a.txt" }] },
    call.candidates?.[0]?.content ?? {},
    { role: "user", parts: [{ functionResponse: { name: "read_file", response: { output: "x" } } }] },
  ];
  expect(await streamText(model, { ...request, contents: history })).toBe("It says x.");
  expect(server.requests[1]?.body).toMatchObject({
    contents: history,
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: { type: "object" } }] }],
  });
});

describe("what is broken is tried again:", () => {
  const begun = geminiChunk([{ text: "Hal" }]);
  const broken: Record<string, Reply> = {
    "a stream that ends before the model does": { kind: "stream", events: [begun] },
    "a stream of nothing": { kind: "stream", events: [] },
    "a connection that is reset": { kind: "stream", events: [begun], ending: "reset" },
    "a chunk that is no JSON": { kind: "stream", events: [begun, '{"candidates":[{"cont', begun] },
    "an error in the middle": { kind: "stream", events: [begun, { error: { code: 503, message: "Overloaded" } }] },
    "a 429": geminiError(429, "Slow down"),
    "a 500": geminiError(500, "Oops"),
    "a 503 that is a page": { kind: "json", status: 503, headers: { "content-type": "text/html" }, body: "<html>" },
  };
  test.each(Object.keys(broken))("%s", async (name) => {
    const { server, model } = await geminiWith(broken[name] ?? geminiSays(), geminiSays("Hel", "lo"));
    const events = await quickly(model);
    expect(finalText(events)).toBe("Hello");
    expect(events.filter(({ kind }) => kind === "retry")).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  test("an answer in one piece that is cut off", async () => {
    const { model } = await geminiWith({ kind: "json", body: '{"candidates":[{"content":' });
    expect(await failureOf(model.generateContent(question()))).toMatchObject({ isTransient: true });
  });

  test("a server that is not there", async () => {
    const { server, model } = await geminiWith();
    await server.close();
    const error = await failureOf(streamText(model));
    expect(error).toMatchObject({
      isTransient: true,
      what: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/),
    });
  });
});

test("an error in the middle of a stream is told in the service's words", async () => {
  const error = { error: { code: 503, message: "Overloaded", status: "UNAVAILABLE" } };
  const { model } = await geminiWith({ kind: "stream", events: [geminiChunk([{ text: "Hal" }]), error] });
  expect(await failureOf(streamText(model))).toMatchObject({ what: "The Gemini API answered 503: Overloaded." });
});

test("one call is one attempt: the SDK retries nothing by itself", async () => {
  const { server, model } = await geminiWith(geminiError(503, "Overloaded"), geminiSays("Hello"));
  await failureOf(streamText(model));
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["the header", geminiError(429, "Slow down", { headers: { "retry-after": "7" } })],
  [
    "the body",
    geminiError(429, "Slow down", {
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }],
    }),
  ],
])("the wait that a service asks for is read from %s", async (_where, reply) => {
  const { model } = await geminiWith(reply);
  expect(await failureOf(streamText(model))).toMatchObject({ isTransient: true, retryAfterMs: 7000 });
});

describe("what is refused is not tried again:", () => {
  const invalid = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];
  test.each([
    [
      "a bad request",
      geminiError(400, "Unknown field."),
      "MODEL_FAILED",
      "The Gemini API answered 400: Unknown field.",
    ],
    [
      "a key that is not valid",
      geminiError(400, `API key not valid: ${KEY}`, { details: invalid }),
      "MODEL_KEY_REFUSED",
      "The Gemini API refused the key (400): API key not valid: [key].",
    ],
    ["a 401", geminiError(401, "Who?"), "MODEL_KEY_REFUSED", "The Gemini API refused the key (401): Who?"],
    ["a 403", geminiError(403, "No."), "MODEL_KEY_REFUSED", "The Gemini API refused the key (403): No."],
    [
      "a model nobody knows",
      geminiError(404, "Not found"),
      "MODEL_FAILED",
      'The Gemini API does not know the model "test-model" (404): Not found.',
    ],
    [
      "a redirect",
      { kind: "json", status: 307, headers: { location: "http://127.0.0.1:9/" }, body: "" } as const,
      "MODEL_FAILED",
      "The Gemini API answered 307.",
    ],
  ])("%s", async (_name, reply, code, what) => {
    const { server, model } = await geminiWith(reply, geminiSays("Hello"));
    const error = await failureOf(quickly(model));
    expect(error).toMatchObject({ code, what, isTransient: false });
    expect(server.requests).toHaveLength(1);
  });

  test("a prompt that is blocked", async () => {
    const blocked = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } };
    const { model } = await geminiWith({ kind: "stream", events: [blocked] }, { kind: "json", body: blocked });
    const refused = { isTransient: false, what: "The service refused the prompt (PROHIBITED_CONTENT)." };
    expect(await failureOf(streamText(model))).toMatchObject(refused);
    expect(await failureOf(model.generateContent(question()))).toMatchObject(refused);
  });

  test("a name that leads elsewhere, which is not even sent", async () => {
    const { server, model } = await geminiWith(geminiSays("Hello"));
    const error = await failureOf(streamText(model, { ...question(), model: "../files?x=1" }));
    expect(error).toMatchObject({ isTransient: false, what: expect.stringMatching(/^The request could not be sent/) });
    expect(server.requests).toEqual([]);
  });
});

test("an abort ends a stream that hangs, with its reason", async () => {
  const { model } = await geminiWith({ kind: "stream", events: [geminiChunk([{ text: "Hal" }])], ending: "never" });
  const stop = new AbortController();
  const chunks = model.generateContentStream(question(), stop.signal)[Symbol.asyncIterator]();
  expect((await chunks.next()).value?.text).toBe("Hal");
  const next = failureOf(Promise.resolve(chunks.next()));
  stop.abort(new Error("Enough"));
  expect(await next).toEqual(new Error("Enough"));
});

test("a reader who has seen enough ends the connection", async () => {
  const { server, model } = await geminiWith({
    kind: "stream",
    events: [geminiChunk([{ text: "Hal" }])],
    ending: "never",
  });
  for await (const _ of model.generateContentStream(question())) break;
  await server.requests[0]?.closed;
});

describe("the environment of the SDK", () => {
  beforeEach(() => {
    vi.stubEnv("GOOGLE_API_KEY", "another key");
    vi.stubEnv("GOOGLE_GENAI_USE_VERTEXAI", "true");
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", "a-project");
  });
  afterEach(() => void vi.unstubAllEnvs());

  test("changes neither the service nor the key", async () => {
    const { server, model } = await geminiWith(geminiSays("Hello"));
    expect(await streamText(model)).toBe("Hello");
    expect(server.requests[0]?.path).toMatch(/^\/v1beta\/models\/test-model:/);
    expect(server.requests[0]?.headers["x-goog-api-key"]).toBe(KEY);
  });
});
