import { describe, expect, test } from "vitest";
import { geminiCalls, geminiChunk, geminiError, geminiSays, startGeminiServer } from "../support/geminiServer.ts";
import { type Ended, hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";
import type { ModelServer, Reply } from "../support/modelServer.ts";
import { openAiCalls, openAiChunk, openAiError, openAiSays, startOpenAiServer } from "../support/openaiServer.ts";

/** The two ways to speak to a model, behind the same agent. */
interface Wire {
  readonly start: (replies: readonly Reply[]) => Promise<ModelServer>;
  readonly model: string;
  readonly env: (url: string) => Record<string, string>;
  readonly says: (...texts: string[]) => Reply;
  readonly calls: (name: string, args: object) => Reply;
  readonly refuses: (status: number, message: string, headers?: Record<string, string>) => Reply;
  readonly begins: (text: string) => unknown;
}

const GEMINI: Wire = {
  start: startGeminiServer,
  model: "gemini-2.5-pro",
  env: (url) => ({ GEMINI_API_KEY: "AIza-secret", GOOGLE_GEMINI_BASE_URL: url }),
  says: geminiSays,
  calls: geminiCalls,
  refuses: (status, message, headers = {}) => geminiError(status, message, { headers }),
  begins: (text) => geminiChunk([{ text }]),
};

const OPENAI: Wire = {
  start: startOpenAiServer,
  model: "openai:test-model",
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-secret" }),
  says: openAiSays,
  calls: (name, args) => openAiCalls("call-1", name, JSON.stringify(args)),
  refuses: (status, message, headers = {}) => openAiError(status, message, { headers }),
  begins: (text) => openAiChunk({ role: "assistant", content: text }),
};

interface Run extends Ended {
  readonly server: ModelServer;
  readonly machine: Machine;
}

async function runOn(wire: Wire, replies: readonly Reply[], args: readonly string[] = []): Promise<Run> {
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("BeforeModel", [{ name: "count", command: "./count.sh" }]),
    "project/count.sh": "#!/bin/sh\ncat >/dev/null\necho asked >>../asked\n",
    "project/a.txt": "alpha\n",
  });
  const server = await wire.start(replies);
  const env = { ...wire.env(server.url), HOOKLINE_RETRY_BASE_MS: "1" };
  const ended = await machine.cli(["run", "-p", "go", "--model", wire.model, "--trust-project", ...args], { env });
  return { ...ended, server, machine };
}

const timesAsked = (machine: Machine) => machine.read("asked").trim().split("\n").length;

describe.each([
  ["Gemini", GEMINI],
  ["OpenAI", OPENAI],
])("on the wire of %s", (_name, wire) => {
  test("a call goes out and its result comes back to the model", async () => {
    const { code, stdout, server, machine } = await runOn(wire, [
      wire.calls("read_file", { file_path: "a.txt" }),
      wire.says("It says ", "alpha."),
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "It says alpha.\n" });
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("alpha");
    expect(timesAsked(machine)).toBe(2);
  });

  test.each([
    ["429", (): Reply => wire.refuses(429, "Too many requests", { "retry-after": "0" })],
    ["500", (): Reply => wire.refuses(500, "Internal error")],
    ["503", (): Reply => wire.refuses(503, "Overloaded")],
    ["a reset stream", (): Reply => ({ kind: "stream", events: [wire.begins("It")], ending: "reset" })],
    ["a stream without an end", (): Reply => ({ kind: "stream", events: [wire.begins("It")] })],
    ["a chunk that is no JSON", (): Reply => ({ kind: "stream", events: [wire.begins("It"), "{oops"] })],
  ])("%s is tried again, and hooks are not", async (_fault, fault) => {
    const { code, stdout, stderr, server, machine } = await runOn(wire, [fault(), fault(), wire.says("Here.")]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Here.\n" });
    expect(stderr.match(/↻/g)).toHaveLength(2);
    expect(server.requests).toHaveLength(3);
    expect(timesAsked(machine)).toBe(1);
  });

  test("what was streamed before a stream broke is told to be void", async () => {
    const broken: Reply = { kind: "stream", events: [wire.begins("Half")], ending: "reset" };
    const { stdout } = await runOn(wire, [broken, wire.says("Whole.")], ["--output", "stream-json"]);
    const told = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ type }) => !["hook", "control", "result"].includes(type));
    expect(told).toMatchObject([
      { type: "text", text: "Half" },
      { type: "retracted" },
      { type: "retry" },
      { type: "text", text: "Whole." },
      { type: "answer", text: "Whole.", wasStreamed: true },
    ]);
  });

  test("a service that keeps failing ends the turn with its own words, and the session as an error", async () => {
    const { code, stdout, stderr, server } = await runOn(
      wire,
      Array.from({ length: 5 }, () => wire.refuses(500, "The lights are off")),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/The lights are off.*All 5 attempts failed/);
    expect(server.requests).toHaveLength(5);
  });

  test("a refused key is said at once, without the key", async () => {
    const { code, stderr, server } = await runOn(wire, [wire.refuses(401, "Bad key")]);
    expect(code).toBe(1);
    expect(stderr).toContain("Check the key");
    expect(stderr).not.toMatch(/AIza-secret|sk-secret/);
    expect(server.requests).toHaveLength(1);
  });

  test("a missing key is said before a session begins", async () => {
    const machine = new Machine();
    const { code, stderr } = await machine.cli(["run", "-p", "go", "--model", wire.model]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/(GEMINI|OPENAI)_API_KEY/);
    expect(machine.has("project/.hookline")).toBe(false);
  });

  test("what was recorded replays to the same answer", async () => {
    const script = [wire.calls("read_file", { file_path: "a.txt" }), wire.says("It says ", "alpha.")];
    const { machine, stdout } = await runOn(wire, script, ["--record", "../recorded.jsonl"]);
    const again = await machine.cli(["run", "-p", "go", "--model", "replay:../recorded.jsonl", "--trust-project"]);
    expect(again).toMatchObject({ code: 0, stdout });
    expect(machine.read("recorded.jsonl")).not.toMatch(/AIza-secret|sk-secret/);
  });
});
