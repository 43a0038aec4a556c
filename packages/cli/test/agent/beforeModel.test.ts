import { describe, expect, test } from "vitest";
import { AgentProject, agentRun, type Hook } from "../support/agentProject.ts";
import { geminiError, geminiSays, startGeminiServer } from "../support/geminiServer.ts";
import { calls, says } from "../support/modelAnswers.ts";

const before = (answers: unknown, more: Partial<Hook> = {}): Hook => ({
  on: "BeforeModel",
  name: "before",
  answers,
  ...more,
});
const specific = (hookSpecificOutput: object) => ({ hookSpecificOutput });
const WRITE = { file_path: "a.txt", content: "a" };

test.each([
  ["block", { decision: "deny", reason: "Over budget" }],
  ["ask, which here is one,", { decision: "ask", reason: "Over budget" }],
  ["stop", { continue: false, stopReason: "Over budget" }],
])("a %s means no request: the turn ends with the reason, and the prompt is kept", async (_, answer) => {
  const after: Hook = { on: "AfterModel", name: "after", answers: {} };
  const run = await agentRun({ hooks: [before(answer), after], answers: [says("Never heard.")] });
  expect([run.code, run.requests.length, run.seen("after")]).toEqual([2, 0, []]);
  expect(run.json).toMatchObject({
    response: "",
    stopped: { event: "BeforeModel", hook: "before", reason: "Over budget" },
  });
  expect(run.history).toEqual(["user: go"]);
});

test("a partial request changes what it names: one setting leaves the others, and the words of the prompt are not kept", async () => {
  const warm = before(specific({ llm_request: { config: { temperature: 0.25 } } }), { name: "warm" });
  const messages = [
    { role: "system", content: "Be terse" },
    { role: "user", content: "go, politely" },
  ];
  const run = await agentRun({
    hooks: [warm, before(specific({ llm_request: { messages, config: { topK: 3 } } }))],
    answers: [says("Hello.")],
  });
  const { tools, ...rest } = run.config(1);
  expect(tools).toEqual([expect.anything()]);
  expect(rest).toEqual({ temperature: 0.25, topK: 3, systemInstruction: expect.anything() });
  expect(JSON.stringify(rest.systemInstruction)).toContain("Be terse");
  expect(run.modelSaw(1)).toEqual(["user: go, politely"]);
  // The request was changed, not the conversation.
  expect(run.history).toEqual(["user: go", "model: Hello."]);
});

test("a hook sees the request in the stable form: messages, settings, and the tools by their names", async () => {
  const run = await agentRun({
    files: { "a.txt": "A" },
    hooks: [before({})],
    answers: [calls("read_file", { file_path: "a.txt" }, "Let me look."), says("Hello.")],
  });
  expect(run.seen("before")[1]).toMatchObject({
    hook_event_name: "BeforeModel",
    llm_request: {
      model: "replay",
      messages: [
        { role: "system" },
        { role: "user", content: "go" },
        {
          role: "model",
          content: "Let me look.",
          parts: [
            { type: "text", text: "Let me look." },
            { type: "functionCall", name: "read_file" },
          ],
        },
        {
          role: "user",
          content: "",
          parts: [{ type: "functionResponse", name: "read_file", response: { output: "A" } }],
        },
      ],
      tools: [{ name: "read_file" }, { name: "write_file" }, {}, {}, {}, {}, {}],
    },
  });
});

test("a script that replaces in every content works in each turn, and leaves the instruction and the calls alone", async () => {
  const script = `process.stdin.on("data", (data) => {
    const { llm_request } = JSON.parse(data);
    const own = llm_request.messages.filter(({ role }) => role !== "system");
    const messages = own.map(({ role, content }) => ({ role, content: content.replace("secret", "***") }));
    console.log(JSON.stringify({ hookSpecificOutput: { llm_request: { messages } } }));
  });`;
  const run = await agentRun({
    files: { "a.txt": "A", "redact.js": script },
    prompt: "my secret",
    hooks: [
      before(undefined, {
        runs: 'printf %s "$input" | node "$HOOKLINE_PROJECT_DIR/redact.js"',
        settings: { onError: "block" },
      }),
    ],
    answers: [calls("read_file", { file_path: "a.txt" }), says("Done.")],
  });
  expect([run.code, run.json.response]).toEqual([0, "Done."]);
  expect(run.modelSaw(2)).toEqual([
    "user: my ***",
    'model calls read_file {"file_path":"a.txt"}',
    "read_file returned: A",
  ]);
  expect(run.config(2).systemInstruction).toEqual(expect.anything());
  expect(run.config(2).systemInstruction).toEqual(run.config(1).systemInstruction);
});

describe("a synthetic answer", () => {
  const answer = (parts: unknown[]) => ({ llm_response: { candidates: [{ content: { role: "model", parts } }] } });
  const CALL = { type: "functionCall", name: "write_file", args: WRITE };
  /** Only for the first request. */
  const once = (value: object) =>
    before(undefined, {
      runs: `[ "$(wc -l < "$HOOKLINE_PROJECT_DIR/../seen/before.jsonl")" -gt 1 ] || echo '${JSON.stringify(value)}'`,
    });

  test("is delivered as the model's, passes AfterModel, and skips the choice of tools", async () => {
    const run = await agentRun({
      hooks: [
        before(specific(answer(["From the cache"]))),
        { on: "BeforeToolSelection", name: "selection", answers: {} },
        { on: "AfterModel", name: "after", answers: {} },
      ],
      output: "text",
    });
    expect([run.code, run.stdout, run.requests.length]).toEqual([0, "From the cache\n", 0]);
    expect(run.history).toEqual(["user: go", "model: From the cache"]);
    expect(run.seen("selection")).toEqual([]);
    expect(run.seen("after")).toMatchObject([{ llm_response: { text: "From the cache" } }]);
  });

  test("has its calls run, like the model's", async () => {
    const run = await agentRun({ hooks: [once(specific(answer(["Writing.", CALL])))], answers: [says("Written.")] });
    expect(run.file("a.txt")).toBe("a");
    expect(run.modelSaw(1)).toEqual([
      "user: go",
      "model: Writing.",
      `model calls write_file ${JSON.stringify(WRITE)}`,
      "write_file returned: Created a.txt (1 byte).",
    ]);
    expect([run.code, run.json.response]).toEqual([0, "Written."]);
  });

  test.each([
    ["continue: false", { continue: false, stopReason: "cached" }],
    ["decision: block", { decision: "block", reason: "cached" }],
  ])("beside %s ends the turn as finished; its calls are not run", async (_what, objection) => {
    const run = await agentRun({ hooks: [before({ ...objection, ...specific(answer(["From the cache", CALL])) })] });
    expect([run.code, run.has("a.txt")]).toEqual([0, false]);
    expect(run.json).toMatchObject({
      response: "From the cache",
      toolCalls: [{ name: "write_file", status: "cancelled" }],
    });
    expect(run.json).not.toHaveProperty("stopped");
    expect(run.history.at(-1)).toBe("write_file failed: This call was not run: a hook ended the turn");
  });

  test("of one hook does not get past the block of another", async () => {
    const hooks = [
      before(specific(answer(["From the cache"]))),
      before({ decision: "deny", reason: "No" }, { name: "guard" }),
    ];
    const run = await agentRun({ hooks });
    expect([run.code, run.json.response]).toEqual([2, ""]);
    expect(run.json.stopped).toEqual({ event: "BeforeModel", hook: "guard", reason: "No" });
    expect(run.history).toEqual(["user: go"]);
  });

  test("beside a stop of its own does not get past the block of another", async () => {
    const cache = before({ continue: false, ...specific(answer(["From the cache"])) });
    const run = await agentRun({ hooks: [cache, before({ decision: "deny", reason: "No" }, { name: "guard" })] });
    expect([run.code, run.json.response, run.history]).toEqual([2, "", ["user: go"]]);
    expect(run.json.stopped).toMatchObject({ event: "BeforeModel" });
  });
});

test("a message stands in this request and in no other; one of AfterModel in the next", async () => {
  const first = `[ "$(wc -l < "$HOOKLINE_PROJECT_DIR/../seen/NAME.jsonl")" -gt 1 ] || echo '{"systemMessage":"from NAME"}'`;
  const noting = (on: string): Hook => ({ on, name: on, runs: first.replaceAll("NAME", on) });
  const run = await agentRun({
    files: { "a.txt": "A" },
    hooks: [noting("BeforeModel"), noting("AfterModel"), noting("BeforeToolSelection")],
    answers: [calls("read_file", { file_path: "a.txt" }), calls("read_file", { file_path: "a.txt" }), says("Done.")],
  });
  const notes = (nth: number) => run.modelSaw(nth).filter((line) => line.includes("[System]"));
  expect(notes(1)).toEqual(["user: [System] from BeforeModel", "user: [System] from BeforeToolSelection"]);
  expect(notes(2)).toEqual(["user: [System] from AfterModel"]);
  expect(notes(3)).toEqual([]);
  expect(run.history.join("\n")).not.toContain("[System]");
});

test("hooks of the model do not run again when a request is repeated because the service failed", async () => {
  const server = await startGeminiServer([
    geminiError(503, "overloaded"),
    geminiError(503, "overloaded"),
    geminiSays("At last."),
  ]);
  const project = new AgentProject({
    hooks: ["BeforeModel", "BeforeToolSelection", "AfterModel"].map((on) => ({ on, name: on, answers: {} })),
  });
  const env = { GEMINI_API_KEY: "test", GOOGLE_GEMINI_BASE_URL: server.url, HOOKLINE_RETRY_BASE_MS: "1" };
  const run = await project.run({ args: ["--model", "gemini-2.5-flash"], env });
  expect([run.code, run.json.response, server.requests.length]).toEqual([0, "At last.", 3]);
  expect(run.json.hooks.map(({ event }) => event)).toEqual(["BeforeModel", "BeforeToolSelection", "AfterModel"]);
  expect(run.stderr).toContain("Retrying in");
});

describe("a model that answers nothing", () => {
  const candidate = { content: { role: "model", parts: [] }, finishReason: "STOP", index: 0 };
  const nothing = { method: "generateContentStream" as const, response: [{ candidates: [candidate] }] };

  test("is asked once more, with the same request and without its hooks", async () => {
    const run = await agentRun({ hooks: [before({})], answers: [nothing, says("Hello.")] });
    expect([run.code, run.json.response, run.requests.length]).toEqual([0, "Hello.", 2]);
    expect(run.modelSaw(2)).toEqual(run.modelSaw(1));
    expect(run.seen("before")).toHaveLength(1);
  });

  test("is not asked a third time", async () => {
    const run = await agentRun({ hooks: [before({})], answers: [nothing, nothing, says("Too late.")] });
    expect([run.code, run.json.response, run.requests.length]).toEqual([0, "", 2]);
  });
});
