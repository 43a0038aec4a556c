import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openModel } from "../../src/models/openModel.ts";
import { RETRY_POLICY, streamWithRetries } from "../../src/models/retries.ts";
import { geminiError, geminiSays, startGeminiServer } from "../support/geminiServer.ts";
import { Machine } from "../support/machine.ts";
import { all, failureOf, finalText, question, streamText } from "../support/modelCalls.ts";
import { openAiSays, startOpenAiServer } from "../support/openaiServer.ts";

const ANSWER = JSON.stringify({
  method: "generateContentStream",
  response: [{ candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] }],
});
const machineWithAnswer = () => new Machine({ "project/answers.jsonl": ANSWER });
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const KEYS = { GEMINI_API_KEY: "key-of-gemini", OPENAI_API_KEY: "key-of-openai" };
const open = (name: string, env: Record<string, string> = KEYS) => openModel(name, { env, cwd: "/" });

test.each([
  ["gemini-2.5-pro", "gemini-2.5-pro"],
  ["gemini:gemma-3-27b-it", "gemma-3-27b-it"],
  ["openai:gpt-4.1", "gpt-4.1"],
  ["openai:library/qwen3:8b", "library/qwen3:8b"],
  ["openai:llama3.2:3b@http://localhost:11434/v1", "llama3.2:3b"],
  ["openai:tuned@prod@https://models.example/v1", "tuned@prod"],
])("%s asks for the model %s", async (name, model) => {
  expect((await open(name)).model).toBe(model);
});

test.each([
  ["gemnini-2.5-pro", 'There is no model "gemnini-2.5-pro". Did you mean "gemini-2.5-pro"?'],
  ["openia:gpt-4.1", 'There is no model "openia:gpt-4.1". Did you mean "openai:"?'],
  ["claude", 'There is no model "claude".'],
  ["openai:", 'There is no model "openai:".'],
  ["replay:", 'There is no model "replay:".'],
  ["", 'There is no model "".'],
])("the name %j is not known", async (name, what) => {
  expect(await failureOf(open(name))).toMatchObject({ code: "MODEL_UNKNOWN", what });
});

describe("a key", () => {
  test.each([
    ["gemini-2.5-pro", {}, "The Gemini API needs a key, and GEMINI_API_KEY is not set."],
    ["gemini-2.5-pro", { GEMINI_API_KEY: " " }, "The Gemini API needs a key, and GEMINI_API_KEY is not set."],
    ["openai:gpt-4.1", {}, "The OpenAI API needs a key, and OPENAI_API_KEY is not set."],
  ])("of %s that is missing is named before anything happens", async (name, env, what) => {
    expect(await failureOf(open(name, env))).toMatchObject({ code: "MODEL_KEY_MISSING", what });
  });

  test("is not needed for a server of one's own", async () => {
    const server = await startOpenAiServer([openAiSays("Hi"), openAiSays("Hi")]);
    const { generator } = await open(`openai:llama@${server.url}/v1`, {});
    expect(await streamText(generator)).toBe("Hi");
    const other = await open("openai:llama", { OPENAI_BASE_URL: `${server.url}/v1/` });
    expect(await streamText(other.generator)).toBe("Hi");
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test("that cannot be sent is refused without being shown", async () => {
    const error = await failureOf(open("gemini-2.5-pro", { GEMINI_API_KEY: "secret\nx-evil: 1" }));
    expect(error).toMatchObject({
      code: "OPTION_INVALID",
      message: "GEMINI_API_KEY has characters that a key cannot have.",
    });
  });
});

test.each([
  ["gemini-2.5-pro", { ...KEYS, GOOGLE_GEMINI_BASE_URL: "localhost:8080" }, /^GOOGLE_GEMINI_BASE_URL has an address/],
  ["gemini-2.5-pro", { ...KEYS, GOOGLE_GEMINI_BASE_URL: "nonsense" }, /^GOOGLE_GEMINI_BASE_URL has an address/],
  ["openai:gpt", { OPENAI_BASE_URL: "file:///etc/passwd" }, /^OPENAI_BASE_URL has an address that is neither/],
  ["openai:gpt", { OPENAI_BASE_URL: "https://me:secret@host/v1" }, /^The address in OPENAI_BASE_URL has more/],
  ["openai:gpt@ftp://host/v1", {}, /^--model has an address that is neither/],
])("%s with %j is an option that is no address", async (name, env, what) => {
  const error = await failureOf(open(name, env));
  expect(error).toMatchObject({ code: "OPTION_INVALID", what: expect.stringMatching(what) });
  expect(String(error)).not.toContain("secret");
});

describe("--record", () => {
  test("writes what a replay reads, for the owner's eyes only", async () => {
    const machine = new Machine({ "project/old.jsonl": "something old" });
    const server = await startGeminiServer([geminiSays("Hel", "lo")]);
    const env = { ...KEYS, GOOGLE_GEMINI_BASE_URL: server.url };
    const cwd = machine.project;
    const { generator } = await openModel("gemini-2.5-pro", { env, cwd, record: "new.jsonl" });
    const live = await all(generator.generateContentStream(question()));
    const replay = await openModel("replay:new.jsonl", { env: {}, cwd, record: "old.jsonl" });
    const replayed = await all(replay.generator.generateContentStream(question()));
    expect(replayed).toEqual(live);
    expect(linesOf(machine.read("project/old.jsonl"))).toEqual(linesOf(machine.read("project/new.jsonl")));
    expect(statSync(join(cwd, "new.jsonl")).mode & 0o777).toBe(0o600);
    expect(machine.read("project/new.jsonl")).not.toContain("key-of-gemini");
  });

  test("leaves out what was retried", async () => {
    const machine = new Machine();
    const half = { kind: "stream", events: [{ candidates: [{ content: { parts: [{ text: "Ha" }] } }] }] } as const;
    const server = await startGeminiServer([half, geminiError(503, "Overloaded"), geminiSays("Hello")]);
    const env = { ...KEYS, GOOGLE_GEMINI_BASE_URL: server.url };
    const options = { env, cwd: machine.project, record: "record.jsonl", requests: "requests.jsonl" };
    const { generator } = await openModel("gemini-2.5-pro", options);
    const policy = { ...RETRY_POLICY, baseMs: 1 };
    expect(finalText(await all(streamWithRetries(generator, question(), { policy })))).toBe("Hello");
    expect(linesOf(machine.read("project/record.jsonl"))).toHaveLength(1);
    expect(linesOf(machine.read("project/requests.jsonl"))).toHaveLength(3);
  });

  test("can go to the file that is replayed", async () => {
    const machine = machineWithAnswer();
    const options = { env: {}, cwd: machine.project, record: "answers.jsonl" };
    expect(await streamText((await openModel("replay:answers.jsonl", options)).generator)).toBe("Hi");
    expect(JSON.parse(machine.read("project/answers.jsonl"))).toEqual(JSON.parse(ANSWER));
  });

  test("of an answer in one piece is replayed as one", async () => {
    const line = JSON.stringify({ method: "generateContent", response: JSON.parse(ANSWER).response[0] });
    const machine = new Machine({ "project/answers.jsonl": line });
    const options = { env: {}, cwd: machine.project, record: "record.jsonl" };
    await (await openModel("replay:answers.jsonl", options)).generator.generateContent(question());
    expect(JSON.parse(machine.read("project/record.jsonl"))).toEqual(JSON.parse(line));
  });
});

describe("--requests", () => {
  test("adds every request as the model gets it, before it is sent", async () => {
    const machine = new Machine({ "project/answers.jsonl": ANSWER, "project/requests.jsonl": '{"old":true}\n' });
    const options = { env: {}, cwd: machine.project, requests: "requests.jsonl" };
    const { generator } = await openModel("replay:answers.jsonl", options);
    const tools = [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: { type: "object" } }] }];
    const config = { systemInstruction: "Be brief.", tools, temperature: 0 };
    const hidden = { abortSignal: new AbortController().signal, httpOptions: { headers: { authorization: "secret" } } };
    const request = question("Hello", { ...config, ...hidden });
    await streamText(generator, request);
    const { model, contents } = request;
    const sent = { method: "generateContentStream", request: { model, contents, config } };
    expect(linesOf(machine.read("project/requests.jsonl"))).toEqual([{ old: true }, sent]);
    await failureOf(streamText(generator, request));
    expect(linesOf(machine.read("project/requests.jsonl"))).toHaveLength(3);
  });
});

describe("a file", () => {
  test.each(["record", "requests"])("for --%s that cannot be written is said at once", async (option) => {
    const machine = machineWithAnswer();
    const options = { env: {}, cwd: machine.project, [option]: "no/such/folder.jsonl" };
    const error = await failureOf(openModel("replay:answers.jsonl", options));
    expect(error).toMatchObject({ code: "FILE_UNUSABLE", where: { file: "no/such/folder.jsonl" } });
  });

  test("is left alone when the model cannot be opened", async () => {
    const machine = new Machine();
    const options = { env: {}, cwd: machine.project, record: "record.jsonl", requests: "requests.jsonl" };
    await failureOf(openModel("gemini-2.5-pro", options));
    expect(existsSync(join(machine.project, "record.jsonl"))).toBe(false);
    expect(existsSync(join(machine.project, "requests.jsonl"))).toBe(false);
  });

  test("cannot be for both", async () => {
    const machine = machineWithAnswer();
    const options = { env: {}, cwd: machine.project, record: "a.jsonl", requests: "./a.jsonl" };
    expect(await failureOf(openModel("replay:answers.jsonl", options))).toMatchObject({ code: "OPTION_INVALID" });
  });

  test("keeps the rights that its owner gave it", async () => {
    const machine = machineWithAnswer();
    machine.write({ "project/record.jsonl": "" });
    const file = join(machine.project, "record.jsonl");
    chmodSync(file, 0o640);
    await openModel("replay:answers.jsonl", { env: {}, cwd: machine.project, record: "record.jsonl" });
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });
});
