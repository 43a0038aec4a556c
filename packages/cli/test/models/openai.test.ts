import type { Content, GenerateContentParameters } from "@google/genai";
import { describe, expect, test } from "vitest";
import { joinChunks } from "../../src/models/joinChunks.ts";
import { openAiModel } from "../../src/models/openai.ts";
import { RETRY_POLICY, streamWithRetries } from "../../src/models/retries.ts";
import { all, failureOf, finalText, question, streamText } from "../support/modelCalls.ts";
import type { Reply } from "../support/modelServer.ts";
import {
  OPENAI_USAGE,
  openAiCalls,
  openAiChunk,
  openAiError,
  openAiSays,
  startOpenAiServer,
} from "../support/openaiServer.ts";

const KEY = "sk-secret";

async function openAiWith(...replies: readonly Reply[]) {
  const server = await startOpenAiServer(replies);
  return { server, model: openAiModel({ key: KEY, baseUrl: `${server.url}/v1` }) };
}

const stream = (...events: readonly unknown[]): Reply => ({ kind: "stream", events });
const answerTo = async (model: ReturnType<typeof openAiModel>, request: GenerateContentParameters = question()) =>
  joinChunks(await all(model.generateContentStream(request)));
const quickly = (model: ReturnType<typeof openAiModel>) =>
  all(streamWithRetries(model, question(), { policy: { ...RETRY_POLICY, baseMs: 1 } }));

test("a stream arrives chunk by chunk, and says what it cost", async () => {
  const { server, model } = await openAiWith(openAiSays("Hel", "lo"));
  const chunks = await all(model.generateContentStream(question("Hi", { systemInstruction: "Be brief.", topP: 0.5 })));
  expect(chunks.flatMap(({ text }) => text ?? [])).toEqual(["Hel", "lo"]);
  expect({ ...joinChunks(chunks) }).toEqual({
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [{ text: "Hello" }] } }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
    modelVersion: "test-model",
    responseId: "chatcmpl-1",
  });
  const [sent] = server.requests;
  expect(sent).toMatchObject({ method: "POST", path: "/v1/chat/completions" });
  expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(sent?.body).toEqual({
    model: "test-model",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
    ],
    top_p: 0.5,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test("an answer in one piece", async () => {
  const message = { role: "assistant", content: "Hello", reasoning_content: "Hm." };
  const { server, model } = await openAiWith({
    kind: "json",
    body: { ...OPENAI_USAGE, choices: [{ index: 0, message, finish_reason: "length" }] },
  });
  const { candidates, usageMetadata } = await model.generateContent(question());
  expect(candidates).toEqual([
    {
      index: 0,
      finishReason: "MAX_TOKENS",
      content: { role: "model", parts: [{ text: "Hm.", thought: true }, { text: "Hello" }] },
    },
  ]);
  expect(usageMetadata?.totalTokenCount).toBe(10);
  expect(server.requests[0]?.body).toMatchObject({ stream: false });
});

test("a server that does not stream is understood, too", async () => {
  const message = { role: "assistant", content: "Hello" };
  const { model } = await openAiWith({ kind: "json", body: { choices: [{ message, finish_reason: "stop" }] } });
  expect(await streamText(model)).toBe("Hello");
});

test("a call and its result go round, with the id of the call", async () => {
  const { server, model } = await openAiWith(openAiCalls("call_7", "read_file", '{"path":"a.txt"}'), openAiSays("x"));
  const tools = [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: { type: "object" } }] }];
  const request = question("Read a.txt", { tools });
  const answer = await answerTo(model, request);
  expect(answer.functionCalls).toEqual([{ id: "call_7", name: "read_file", args: { path: "a.txt" } }]);
  const result = { id: "call_7", name: "read_file", response: { output: "x" } };
  const contents: Content[] = [
    { role: "user", parts: [{ text: "Read a.txt" }] },
    answer.candidates?.[0]?.content ?? {},
    { role: "user", parts: [{ functionResponse: result }] },
  ];
  expect(await streamText(model, { ...request, contents })).toBe("x");
  const call = { id: "call_7", type: "function", function: { name: "read_file", arguments: '{"path":"a.txt"}' } };
  expect(server.requests[1]?.body).toMatchObject({
    messages: [
      { role: "user", content: "Read a.txt" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_7", content: "x" },
    ],
    tools: [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }],
    tool_choice: "auto",
  });
});

describe("calls", () => {
  const piece = (call: object) => openAiChunk({ tool_calls: [call] });
  const end = openAiChunk({}, "tool_calls");
  const argsOf = async (...events: readonly unknown[]) => {
    const { model } = await openAiWith(stream(...events, end, "[DONE]"));
    return (await answerTo(model)).functionCalls?.map(({ name, args }) => [name, args]);
  };

  test("whose pieces are mixed are told apart by their index", async () => {
    expect(
      await argsOf(
        piece({ index: 0, id: "a", function: { name: "one", arguments: '{"n":' } }),
        piece({ index: 1, id: "b", function: { name: "two", arguments: '{"n":' } }),
        piece({ index: 0, function: { arguments: "1}" } }),
        piece({ index: 1, function: { arguments: "2}" } }),
      ),
    ).toEqual([
      ["one", { n: 1 }],
      ["two", { n: 2 }],
    ]);
  });

  test("that all have index 0 are told apart by their id", async () => {
    expect(
      await argsOf(
        piece({ index: 0, id: "a", function: { name: "one", arguments: '{"n":1}' } }),
        piece({ index: 0, id: "b", function: { name: "two", arguments: '{"n":2}' } }),
      ),
    ).toEqual([
      ["one", { n: 1 }],
      ["two", { n: 2 }],
    ]);
  });

  test("without arguments have none, and arguments may be an object", async () => {
    expect(
      await argsOf(
        piece({ index: 0, id: "a", function: { name: "one" } }),
        piece({ index: 1, id: "b", function: { name: "two", arguments: { n: 2 } } }),
      ),
    ).toEqual([
      ["one", {}],
      ["two", { n: 2 }],
    ]);
  });

  test.each(['{"path": "a', "[1]", '"text"', "null", "rm -rf /"])(
    "with the arguments %s reach the agent as the text they are, and go back as it",
    async (text) => {
      const { server, model } = await openAiWith(openAiCalls("call_7", "read_file", text), openAiSays("Sorry"));
      const answer = await answerTo(model);
      expect(answer.functionCalls).toEqual([{ id: "call_7", name: "read_file", args: text }]);
      await streamText(model, { ...question(), contents: [answer.candidates?.[0]?.content ?? {}] });
      expect(server.requests[1]?.body).toMatchObject({
        messages: [{ tool_calls: [{ function: { arguments: text } }] }],
      });
    },
  );

  test("come once, from a server that says twice why it ended", async () => {
    expect(await argsOf(piece({ index: 0, id: "a", function: { name: "one", arguments: "{}" } }), end)).toEqual([
      ["one", {}],
    ]);
  });

  test("without an id are given one", async () => {
    const { model } = await openAiWith(stream(piece({ function: { name: "one", arguments: "{}" } }), end));
    const [call] = (await answerTo(model)).functionCalls ?? [];
    expect(call).toEqual({ id: expect.stringMatching(/^call_/), name: "one", args: {} });
  });
});

describe("what is broken is tried again:", () => {
  const begun = openAiChunk({ content: "Hal" });
  const broken: Record<string, Reply> = {
    "a stream that ends before the model does": stream(begun),
    "a stream of nothing": stream(),
    "a stream that is done without a reason": stream(begun, "[DONE]"),
    "a connection that is reset": { kind: "stream", events: [begun], ending: "reset" },
    "a chunk that is no JSON": stream(begun, '{"choices":[{"del', openAiChunk({}, "stop")),
    "a chunk that is something else": stream(begun, { choices: "none" }, openAiChunk({}, "stop")),
    "an error in the middle": stream(begun, { error: { message: "The engine died", type: "server_error" } }),
    "a 429": openAiError(429, "Slow down"),
    "a 500": openAiError(500, "Oops"),
    "a 502 that is a page": { kind: "json", status: 502, headers: { "content-type": "text/html" }, body: "<html>" },
  };
  test.each(Object.keys(broken))("%s", async (name) => {
    const { server, model } = await openAiWith(broken[name] ?? openAiSays(), openAiSays("Hel", "lo"));
    const events = await quickly(model);
    expect(finalText(events)).toBe("Hello");
    expect(events.filter(({ kind }) => kind === "retry")).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  test("a server that is not there", async () => {
    const { server, model } = await openAiWith();
    await server.close();
    expect(await failureOf(streamText(model))).toMatchObject({
      isTransient: true,
      what: expect.stringMatching(/^The server at 127.0.0.1:\d+ cannot be reached: .*ECONNREFUSED/),
    });
  });
});

test("the wait that a service asks for is heard, as seconds or as a date", async () => {
  const soon = new Date(Date.now() + 3_600_000).toUTCString();
  const { model } = await openAiWith(
    openAiError(429, "Slow down", { headers: { "retry-after": "2.5" } }),
    openAiError(503, "Busy", { headers: { "retry-after": soon } }),
    openAiError(503, "Busy", { headers: { "retry-after": "tomorrow" } }),
  );
  expect(await failureOf(streamText(model))).toMatchObject({ retryAfterMs: 2500 });
  expect(await failureOf(streamText(model))).toMatchObject({ retryAfterMs: expect.closeTo(3_600_000, -6) });
  expect(await failureOf(streamText(model))).toMatchObject({ retryAfterMs: undefined });
});

describe("what is refused is not tried again:", () => {
  test.each([
    ["a bad request", openAiError(400, "Unknown field."), "MODEL_FAILED", /answered 400: Unknown field\.$/],
    ["a 401", openAiError(401, `Incorrect API key: ${KEY}`), "MODEL_KEY_REFUSED", /refused the key \(401\): .*\[key\]/],
    ["a 403", openAiError(403, "No"), "MODEL_KEY_REFUSED", /refused the key \(403\): No\.$/],
    [
      "a model nobody knows",
      openAiError(404, "Pull it"),
      "MODEL_FAILED",
      /does not know the model "test-model" \(404\): Pull it\.$/,
    ],
    [
      "an empty account",
      openAiError(429, "Pay", { code: "insufficient_quota" }),
      "MODEL_FAILED",
      /answered 429: Pay\.$/,
    ],
    [
      "an error in the middle with a status",
      stream({ error: { message: "Too long", code: 400 } }),
      "MODEL_FAILED",
      /400/,
    ],
    [
      "a redirect",
      { kind: "json", status: 308, headers: { location: "http://127.0.0.1:9/" }, body: "" } as const,
      "MODEL_FAILED",
      /answered 308\.$/,
    ],
    [
      "words of FastAPI",
      { kind: "json", status: 422, body: { detail: "Bad" } } as const,
      "MODEL_FAILED",
      /422: Bad\.$/,
    ],
  ])("%s", async (_name, reply, code, what) => {
    const { server, model } = await openAiWith(reply, openAiSays("Hello"));
    const error = await failureOf(quickly(model));
    expect(error).toMatchObject({ code, what: expect.stringMatching(what), isTransient: false });
    expect(String(error)).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });
});

test("a server that wants a key and got none says which variable to set", async () => {
  const server = await startOpenAiServer([openAiError(401, "Unauthorized")]);
  expect(await failureOf(streamText(openAiModel({ baseUrl: server.url })))).toMatchObject({
    code: "MODEL_KEY_MISSING",
    what: expect.stringMatching(/requires a key, and OPENAI_API_KEY is not set \(401\): Unauthorized\.$/),
  });
});

test("what a service says is one line, and harmless on a terminal", async () => {
  const { model } = await openAiWith(openAiError(400, "a\n\u001b[2Jb".repeat(1000)));
  const error = await failureOf(streamText(model));
  expect(String(error)).not.toMatch(/\p{Cc}/u);
  expect(String(error).length).toBeLessThan(500);
});

test("an abort ends a stream that hangs, with its reason", async () => {
  const { model } = await openAiWith({ kind: "stream", events: [openAiChunk({ content: "Hal" })], ending: "never" });
  const stop = new AbortController();
  const chunks = model.generateContentStream(question(), stop.signal)[Symbol.asyncIterator]();
  expect((await chunks.next()).value?.text).toBe("Hal");
  const next = failureOf(Promise.resolve(chunks.next()));
  stop.abort(new Error("Enough"));
  expect(await next).toEqual(new Error("Enough"));
});

test("a reader who has seen enough ends the connection", async () => {
  const { server, model } = await openAiWith({
    kind: "stream",
    events: [openAiChunk({ content: "Hal" })],
    ending: "never",
  });
  for await (const _ of model.generateContentStream(question())) break;
  await server.requests[0]?.closed;
});
