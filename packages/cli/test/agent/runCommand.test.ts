import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentProject, agentRun } from "../support/agentProject.ts";
import { hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";
import { calls, type Recorded, says } from "../support/modelAnswers.ts";

const REPLAY = "replay:../answers.jsonl";
const HELLO = { "answers.jsonl": `${JSON.stringify(says("Hel", "lo."))}\n` };

describe("the prompt", () => {
  test.each([
    ["-p", ["-p", "from the option"], "", "from the option"],
    ["standard input", [], "from\nstdin\n", "from\nstdin"],
    ["standard input by name", ["-p", "-"], "from stdin", "from stdin"],
    ["-p, whatever is piped in", ["--prompt", "from the option"], "from stdin", "from the option"],
  ])("comes from %s", async (_, args, stdin, prompt) => {
    const machine = new Machine(HELLO);
    const run = await machine.cli(["run", ...args, "--model", REPLAY, "--requests", "../requests.jsonl"], { stdin });
    expect(run).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
    expect(JSON.parse(machine.read("requests.jsonl")).request.contents).toEqual([
      { role: "user", parts: [{ text: prompt }] },
    ]);
  });
});

describe("a mistake is said with what to do next, and nothing is started", () => {
  test.each<[string, string[], string]>([
    ["no prompt", ["--model", REPLAY], "There is no prompt"],
    ["an unknown option", ["-p", "x", "--modle", REPLAY], "Did you mean --model?"],
    ["an approval mode", ["-p", "x", "--model", REPLAY, "--approval-mode", "yol"], "Did you mean"],
    ["an output", ["-p", "x", "--model", REPLAY, "--output", "jsn"], "it can be text, json, stream-json"],
    ["a timeout", ["-p", "x", "--model", REPLAY, "--timeout", "soon"], '--timeout "soon"'],
    [
      "a number of tokens",
      ["-p", "x", "--model", REPLAY, "--compress-at", "many"],
      '--compress-at must be a positive integer, got "many"',
    ],
    ["a folder", ["-p", "x", "--model", REPLAY, "--cwd", "nowhere"], "There is no such folder to work in"],
    ["a model", ["-p", "x", "--model", "gemni-2.5-pro"], 'There is no model "gemni-2.5-pro". Did you mean'],
    ["a key", ["-p", "x", "--model", "gemini-2.5-pro"], "GEMINI_API_KEY"],
    ["a recording", ["-p", "x", "--model", "replay:nothing.jsonl"], "The recorded answers cannot be read"],
    ["a line of a recording", ["-p", "x", "--model", "replay:../broken.jsonl"], "broken.jsonl:2"],
    ["where to record", ["-p", "x", "--model", REPLAY, "--record", "no/such/folder"], "no/such/folder"],
    ["two files in one", ["-p", "x", "--model", REPLAY, "--record", "f", "--requests", "./f"], "name the same file"],
    ["a session", ["-p", "x", "--model", REPLAY, "--resume", "nothing"], 'The session "nothing" cannot be resumed'],
    ["a path for a session", ["-p", "x", "--model", REPLAY, "--resume", "../../x"], "This is not the id of a session"],
  ])("%s", async (_, args, what) => {
    const machine = new Machine({ ...HELLO, "broken.jsonl": `${JSON.stringify(says("Hi"))}\n{"method":\n` });
    const run = await machine.cli(["run", ...args]);
    expect([run.code, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toContain(what);
    expect(run.stderr).not.toMatch(/ at .*\.js:\d+|node:internal/);
    expect(run.stderr.trim().split("\n").length).toBeGreaterThan(1);
    expect(machine.has("project/.hookline")).toBe(false);
  });

  test("a program that reads JSON gets it as JSON", async () => {
    const run = await new Machine(HELLO).cli(["run", "-p", "x", "--model", "replay:none.jsonl", "--output", "json"]);
    expect([run.code, run.stderr]).toEqual([1, ""]);
    expect(JSON.parse(run.stdout)).toEqual({
      error: { code: "FILE_UNUSABLE", where: "none.jsonl", what: expect.any(String), next: expect.any(String) },
    });
  });
});

test("a program that reads line by line gets a failure to start as the last line, too", async () => {
  const run = await new Machine(HELLO).cli(["run", "-p", "x", "--model", "nothing", "--output", "stream-json"]);
  expect([run.code, run.stderr, run.stdout.split("\n").length]).toEqual([1, "", 2]);
  expect(JSON.parse(run.stdout)).toMatchObject({ type: "result", error: { code: "MODEL_UNKNOWN" } });
});

test("a transcript that would go to another place is not written, and the session goes on", async () => {
  const machine = new Machine(HELLO);
  mkdirSync(join(machine.dir, "elsewhere"));
  mkdirSync(join(machine.dir, machine.state), { recursive: true });
  symlinkSync(join(machine.dir, "elsewhere"), join(machine.dir, machine.state, "sessions"));
  const run = await machine.cli(["run", "-p", "x", "--model", REPLAY]);
  expect([run.code, readdirSync(join(machine.dir, "elsewhere"))]).toEqual([0, []]);
  expect(run.stderr).toContain("cannot be written: the folder is a symbolic link");
});

describe("trust", () => {
  const guarded = { ...HELLO, [PROJECT_FILE]: hooksOn("SessionStart", [{ name: "greets", command: "touch ../ran" }]) };

  test("is needed before anything of the project runs; the way to give it is named", async () => {
    const machine = new Machine(guarded);
    const run = await machine.cli(["run", "-p", "x", "--model", REPLAY]);
    expect([run.code, run.stdout, machine.has("ran")]).toEqual([1, "", false]);
    expect(run.stderr).toContain("greets");
    expect(run.stderr).toContain("--trust-project");
  });

  test.each<[string, string[], Record<string, string>]>([
    ["by option", ["--trust-project"], {}],
    ["by variable", [], { HOOKLINE_TRUST_PROJECT: "1" }],
  ])("%s holds for one run and leaves nothing behind", async (_, args, env) => {
    const machine = new Machine(guarded);
    const run = await machine.cli(["run", "-p", "x", "--model", REPLAY, ...args], { env });
    expect([run.code, run.stdout, machine.has("ran")]).toEqual([0, "Hello.\n", true]);
    expect((await machine.cli(["run", "-p", "x", "--model", REPLAY])).code).toBe(1);
  });
});

describe("--output", () => {
  const SETUP = {
    files: { "a.txt": "A" },
    hooks: [{ on: "BeforeTool", name: "looks", answers: { systemMessage: "Seen" } }],
    answers: [calls("read_file", { file_path: "a.txt" }, "Let me see."), says("It ", "says A.")],
  };

  test("text: the answer on standard output, everything else beside it", async () => {
    const run = await agentRun({ ...SETUP, output: "text" });
    expect([run.code, run.stdout]).toEqual([0, "It says A.\n"]);
    expect(run.stderr.replaceAll(/[\d.]+ ms/g, "N ms").split("\n")).toEqual([
      "● read_file file_path=a.txt",
      "  ✓ allow looks BeforeTool read_file · N ms Seen",
      "  success · N ms",
      "    1 line of a.txt",
      "",
    ]);
  });

  test("json: one object, with all that a program may ask for", async () => {
    const run = await agentRun({ ...SETUP, output: "json" });
    expect(JSON.parse(run.stdout)).toEqual({
      response: "It says A.",
      toolCalls: [{ name: "read_file", args: { file_path: "a.txt" }, status: "success" }],
      hooks: [{ event: "BeforeTool", hook: "looks", decision: "allow", durationMs: expect.any(Number), ok: true }],
      usage: { requests: 2, promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("json: what the model was paid for is counted, whatever hooks made of it; what it was not asked is not", async () => {
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 };
    const candidates = [{ content: { role: "model", parts: [{ text: "Paid." }] }, index: 0, finishReason: "STOP" }];
    const answers: Recorded[] = [{ method: "generateContentStream", response: [{ candidates, usageMetadata }] }];
    const withheld = await agentRun({
      hooks: [{ on: "AfterModel", name: "no", answers: { decision: "deny" } }],
      answers,
    });
    expect(withheld.json.usage).toEqual({ requests: 1, ...usageMetadata });
    const synthetic = { syntheticResponse: { text: "For free." } };
    const cached = await agentRun({ hooks: [{ on: "BeforeModel", name: "cache", answers: synthetic }] });
    expect(cached.json).toMatchObject({ response: "For free.", usage: { requests: 0, totalTokenCount: 0 } });
  });

  test("stream-json: a line for everything as it happens, the result last", async () => {
    const run = await agentRun({ ...SETUP, output: "stream-json" });
    expect(run.stderr).toBe("");
    expect(run.events.map(({ type }) => type)).toEqual([
      ...["control", "text", "answer", "toolCall", "hook", "toolResult"],
      ...["text", "text", "answer", "result"],
    ]);
    expect(run.events.at(-1)).toMatchObject({ response: "It says A.", toolCalls: [{ name: "read_file" }] });
    expect(run.events[4]).toMatchObject({
      event: "BeforeTool",
      subject: "read_file",
      hook: "looks",
      decision: "allow",
    });
  });

  test.each(["json", "stream-json"] as const)(
    "%s: hooks in the background are told, too, and before the result",
    async (output) => {
      const slow = { on: "BeforeTool", name: "slow", runs: "sleep 1", settings: { blocking: false } };
      const run = await agentRun({ ...SETUP, hooks: [slow], output });
      const result = JSON.parse(output === "json" ? run.stdout : (run.stdout.trimEnd().split("\n").at(-1) ?? ""));
      expect(result).toMatchObject({ response: "It says A.", hooks: [{ hook: "slow", applied: false }] });
    },
  );

  test("what comes from files, models and hooks cannot act on a terminal that shows the status", async () => {
    const evil = "\u001b[2J\u202e";
    const run = await agentRun({
      files: { "a.txt": "A" },
      hooks: [{ on: "BeforeTool", name: "looks", answers: { decision: "deny", reason: `No${evil}` } }],
      answers: [calls("read_file", { file_path: `a${evil}` }), says("Done.")],
    });
    for (const character of evil.replace("[2J", "")) expect(run.stderr + run.stdout).not.toContain(character);
    expect(run.json.toolCalls).toMatchObject([{ args: { file_path: `a${evil}` } }]);
  });
});

test("--cwd is where the agent works; hooks and transcripts are those of the project around it", async () => {
  const project = new AgentProject({
    files: { "sub/a.txt": "inner", "a.txt": "outer" },
    hooks: [{ on: "BeforeTool", name: "looks", answers: {} }],
  });
  const answers = [
    calls("read_file", { file_path: "a.txt" }),
    calls("read_file", { file_path: "../a.txt" }),
    says("Done."),
  ];
  const run = await project.run({ answers, args: ["--cwd", "sub"] });
  expect(run.modelSaw(2).at(-1)).toBe("read_file returned: inner");
  expect(run.modelSaw(3).at(-1)).toContain("is outside of the workspace");
  expect(run.seen("looks")[0]).toMatchObject({ cwd: join(project.machine.project, "sub") });
  expect(run.transcript.at(0)).toMatchObject({ type: "session", cwd: join(project.machine.project, "sub") });
});

test("$HOOKLINE_MODEL names the model where no option does", async () => {
  const run = await new Machine(HELLO).cli(["run", "-p", "x"], { env: { HOOKLINE_MODEL: REPLAY } });
  expect([run.code, run.stdout]).toEqual([0, "Hello.\n"]);
});

test("what --record writes is what replay: reads, so that a run can be had again", async () => {
  const project = new AgentProject({ files: { "a.txt": "A" } });
  const answers = [calls("read_file", { file_path: "a.txt" }, "Let me see."), says("It ", "says A.")];
  const first = await project.run({ answers, args: ["--record", "../recorded.jsonl"] });
  const again = await project.machine.cli(["run", "-p", "go", "--model", "replay:../recorded.jsonl"]);
  expect([first.json.response, again.stdout]).toEqual(["It says A.", "It says A.\n"]);
});
