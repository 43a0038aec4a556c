import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { AgentProject } from "../support/agentProject.ts";
import { geminiChunk, startGeminiServer } from "../support/geminiServer.ts";
import { type Ended, endOf, Machine } from "../support/machine.ts";
import { type Recorded, says } from "../support/modelAnswers.ts";
import type { ModelServer, Reply } from "../support/modelServer.ts";
import { openAiChunk, startOpenAiServer } from "../support/openaiServer.ts";

type Wire = "OpenAI" | "Gemini";

const KEY = 'sk-a+b/c"d=0123456789';
/** Long enough for a machine that has much else to do, and much longer than the pause that the tests allow a model. */
const PATIENCE_MS = 20_000;
const MEBIBYTE = 1024 ** 2;

interface Run {
  /** Undefined: it did not end. */
  readonly ended: Ended | undefined;
  readonly server: ModelServer;
  readonly machine: Machine;
}

/** The program, talking to a server that somebody else runs. */
async function runOn(wire: Wire, replies: readonly Reply[], { output = "text", idleMs = 60_000 } = {}): Promise<Run> {
  const machine = new Machine();
  const server = await (wire === "OpenAI" ? startOpenAiServer(replies) : startGeminiServer(replies));
  const where =
    wire === "OpenAI"
      ? { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: KEY }
      : { GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_API_KEY: KEY };
  const model = wire === "OpenAI" ? "openai:test-model" : "gemini-2.5-pro";
  const env = { ...where, HOOKLINE_RETRY_BASE_MS: "1", HOOKLINE_MODEL_IDLE_MS: String(idleMs) };
  const child = machine.start(["run", "-p", "go", "--model", model, "--output", output, "--approval-mode", "yolo"], {
    env,
  });
  child.stdin?.end();
  const ended = await Promise.race([endOf(child), sleep(PATIENCE_MS, undefined)]);
  if (ended === undefined) child.kill("SIGKILL");
  return { ended, server, machine };
}

const stream = (send: (response: ServerResponse) => void, headers = {}): Reply => ({
  kind: "raw",
  send: (response) => {
    response.on("error", () => {});
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    send(response);
  },
});

/** As many bytes as there are, at the pace of the reader, then the end. */
function pour(response: ServerResponse, total: number, piece = Buffer.alloc(MEBIBYTE, "a")): void {
  let sent = 0;
  const more = () => {
    while (sent < total && !response.destroyed) {
      sent += MEBIBYTE;
      if (!response.write(piece)) {
        response.once("drain", more);
        return;
      }
    }
    response.end();
  };
  more();
}

describe("a model endpoint that sends too much", { timeout: 180_000 }, () => {
  const JSON_TYPE = { "content-type": "application/json" };
  const BEGUN = 'data: {"choices":[{"delta":{"content":"';
  const flood = (total: number, first = "", headers = {}) =>
    stream((response) => {
      response.write(first);
      pour(response, total);
    }, headers);
  const gzipped = (text: string) => stream((response) => response.end(gzipSync(text)), { "content-encoding": "gzip" });
  const CASES: readonly [string, Wire, Reply][] = [
    ["a line without an end", "OpenAI", flood(24 * MEBIBYTE, BEGUN)],
    ["a comment without an end", "OpenAI", flood(24 * MEBIBYTE, ": ")],
    ["a line without an end", "Gemini", flood(24 * MEBIBYTE, 'data: {"candidates":[{"content":{"parts":[{"text":"')],
    ["a line that is short until it is unpacked", "OpenAI", gzipped("a".repeat(24 * MEBIBYTE))],
    ["lines that belong to no event", "OpenAI", gzipped("zz\n".repeat(20 * MEBIBYTE))],
    ["a body without an end", "OpenAI", flood(70 * MEBIBYTE, '{"choices":"', JSON_TYPE)],
    ["a body without an end", "Gemini", flood(70 * MEBIBYTE, '{"candidates":"', JSON_TYPE)],
  ];

  test.each(CASES)("is read within bounds, and asked once: %s (%s)", async (_what, wire, reply) => {
    const { ended, server } = await runOn(wire, [reply, reply, reply, reply, reply]);
    expect(ended?.stderr ?? "still reading").toMatch(/more than (16 MB|64 MB|200000 lines)/);
    expect({ code: ended?.code, requests: server.requests.length }).toEqual({ code: 1, requests: 1 });
  });
});

describe("a model endpoint that says nothing and keeps the connection", { timeout: 120_000 }, () => {
  const every = (text: string, headers = {}) =>
    stream((response) => {
      const timer = setInterval(() => response.write(text), 50);
      response.on("close", () => clearInterval(timer));
    }, headers);
  const CASES: readonly [string, Wire, Reply][] = [
    ["with comments", "OpenAI", every(": keep\n\n")],
    ["with comments", "Gemini", every(": keep\n\n")],
    ["with events that are empty", "OpenAI", every(`data: ${JSON.stringify(openAiChunk({}))}\n\n`)],
    ["with blanks before a body", "OpenAI", every(" ", { "content-type": "application/json" })],
    [
      "with a refusal that never ends",
      "OpenAI",
      { kind: "raw", send: (response) => response.writeHead(500).write("x") },
    ],
    ["without so much as a status", "Gemini", { kind: "raw", send: () => {} }],
  ];

  test.each(CASES)("is given up: %s (%s)", async (_how, wire, reply) => {
    const { ended } = await runOn(wire, [reply, reply, reply, reply, reply], { idleMs: 1000 });
    expect(ended?.code ?? "still waiting").toBe(1);
    expect(ended?.stderr).toContain("sent no part of an answer for 1 s");
  });
});

test.each(["constructor", "__proto__", "zstd", "gzip, gzip"])(
  "a model endpoint that encodes its answer as %s is refused by that name",
  async (encoding) => {
    const reply = stream((response) => response.write("data: {}\n\n"), { "content-encoding": encoding });
    const { ended } = await runOn("OpenAI", [reply, reply, reply, reply, reply]);
    expect(ended?.code ?? "still waiting").toBe(1);
    expect(ended?.stderr).toContain(`is encoded as ${encoding}, which was not requested`);
  },
);

describe("the calls of an answer that is not complete", () => {
  const call = { functionCall: { name: "write_file", args: { file_path: "made.txt", content: "x" } } };
  const ends = (finishReason: string): Recorded => ({
    method: "generateContentStream",
    response: [{ candidates: [{ content: { role: "model", parts: [call] }, index: 0, finishReason }] }],
  });

  test.each(["SAFETY", "MAX_TOKENS", "MALFORMED_FUNCTION_CALL", "PROHIBITED_CONTENT", "RECITATION", "OTHER"])(
    "do not run after %s, and the model is told",
    async (reason) => {
      const run = await new AgentProject().run({ answers: [ends(reason), says("I see.")] });
      expect(run.has("made.txt")).toBe(false);
      expect(run.modelSaw(2).at(-1)).toContain(`was not run: the answer ended early (${reason})`);
      expect({ code: run.code, calls: run.json.toolCalls }).toMatchObject({
        code: 0,
        calls: [{ name: "write_file", status: "cancelled" }],
      });
    },
  );

  test.each([
    ["content_filter", "SAFETY"],
    ["length", "MAX_TOKENS"],
    ["something_new", "OTHER"],
  ])("do not run after finish_reason %s", async (finish, reason) => {
    const made = { name: "write_file", arguments: '{"file_path":"made.txt","content":"x"}' };
    const cut = {
      kind: "stream",
      events: [
        openAiChunk({ tool_calls: [{ index: 0, id: "c1", type: "function", function: made }] }),
        openAiChunk({}, finish),
        "[DONE]",
      ],
    } as const;
    const { ended, machine } = await runOn("OpenAI", [cut, cut, cut]);
    expect(machine.has("project/made.txt")).toBe(false);
    expect({ code: ended?.code, stderr: ended?.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`The model ended its answer early (${reason}) 3 times in a row`),
    });
  });
});

describe("an endpoint that does not number its calls", () => {
  const piece = (name: string) => ({
    function: { name: "write_file", arguments: `{"file_path":"${name}","content":"x"}` },
  });
  const done = openAiChunk({ content: "Done." }, "stop");

  test.each<[string, Reply]>([
    [
      "in one body",
      {
        kind: "json",
        body: {
          choices: [
            { index: 0, message: { tool_calls: [piece("a.txt"), piece("b.txt")] }, finish_reason: "tool_calls" },
          ],
        },
      },
    ],
    [
      "in a body that gives all the same number",
      {
        kind: "json",
        body: {
          choices: [
            {
              index: 0,
              message: {
                tool_calls: [
                  { index: 0, ...piece("a.txt") },
                  { index: 0, ...piece("b.txt") },
                ],
              },
              finish_reason: "tool_calls",
            },
          ],
        },
      },
    ],
    [
      "in a stream",
      {
        kind: "stream",
        events: [
          openAiChunk({ tool_calls: [piece("a.txt")] }),
          openAiChunk({ tool_calls: [piece("b.txt")] }),
          openAiChunk({}, "tool_calls"),
        ],
      },
    ],
  ])("has each of them run: %s", async (_how, reply) => {
    const { machine } = await runOn("OpenAI", [reply, { kind: "stream", events: [done] }]);
    expect(["a.txt", "b.txt"].map((name) => machine.has(`project/${name}`))).toEqual([true, true]);
  });
});

describe("absurd figures of usage", () => {
  const outcome = z.looseObject({ response: z.string(), usage: z.record(z.string(), z.number()) });
  const bodyOf = (usage: string) =>
    JSON.stringify({ ...openAiChunk({ content: "hello" }, "stop"), usage: "USAGE" }).replace('"USAGE"', usage);
  const CASES: readonly [string, Wire, string][] = [
    ["infinite", "OpenAI", bodyOf('{"prompt_tokens":1e999,"completion_tokens":2,"total_tokens":1e999}')],
    ["text", "OpenAI", bodyOf('{"prompt_tokens":"many","completion_tokens":2}')],
    ["no object", "OpenAI", bodyOf("7")],
    [
      "infinite",
      "Gemini",
      JSON.stringify({ ...geminiChunk([{ text: "hello" }], "STOP"), usageMetadata: "USAGE" }).replace(
        '"USAGE"',
        '{"promptTokenCount":1e999,"candidatesTokenCount":2,"totalTokenCount":-7}',
      ),
    ],
  ];

  test.each(CASES)("are ignored: %s (%s)", async (_what, wire, event) => {
    const { ended, server } = await runOn(wire, [{ kind: "stream", events: [event] }], { output: "json" });
    const { response, usage } = outcome.parse(JSON.parse(ended?.stdout || "{}"));
    expect({ response, requests: server.requests.length }).toEqual({ response: "hello", requests: 1 });
    expect(Object.values(usage).every((count) => count >= 0 && count < 1000)).toBe(true);
  });
});

describe("a refusal that repeats the key", () => {
  const FORMS: readonly [string, string][] = [
    ["in base64", Buffer.from(KEY).toString("base64")],
    ["in base64 with something before it", Buffer.from(`Bearer ${KEY}`).toString("base64")],
    ["in base64 for addresses", Buffer.from(`x:${KEY}`).toString("base64url")],
    ["in hexadecimal", Buffer.from(KEY).toString("hex")],
    ["in capital hexadecimal", Buffer.from(KEY).toString("hex").toUpperCase()],
    ["escaped for an address", encodeURIComponent(KEY)],
    ["escaped for JSON", JSON.stringify(KEY)],
  ];
  /** The longest part of it that could come from the key alone. */
  const telling = (form: string) => form.slice(12, -4);

  test.each(FORMS)("does not show it %s", async (_how, form) => {
    const { ended } = await runOn("OpenAI", [{ kind: "json", status: 401, body: `Bad key ${form} for you` }]);
    expect(ended?.stderr).toContain("[key]");
    expect(ended?.stderr).not.toContain(telling(form));
  });
});

describe("a web page in the place of an answer", () => {
  const PAGE = "<!doctype html>\n<html><body>Please log in</body></html>\n";
  const page = (headers: Readonly<Record<string, string>>): Reply => ({
    kind: "raw",
    send: (response) => response.writeHead(200, headers).end(PAGE),
  });

  test.each<[string, Wire, Reply]>([
    ["as one", "OpenAI", page({ "content-type": "text/html; charset=utf-8" })],
    ["as one", "Gemini", page({ "content-type": "text/html" })],
    ["as a stream", "OpenAI", page({ "content-type": "text/event-stream" })],
    ["as a stream", "Gemini", page({ "content-type": "text/event-stream" })],
    ["as JSON", "OpenAI", page({ "content-type": "application/json" })],
  ])("is said to be one, and asked for once: sent %s (%s)", async (_how, wire, reply) => {
    const { ended, server } = await runOn(wire, [reply, reply, reply, reply, reply]);
    expect(ended?.stderr).toContain("sent something other than a model's answer: a web page");
    expect({ code: ended?.code, requests: server.requests.length }).toEqual({ code: 1, requests: 1 });
  });
});
