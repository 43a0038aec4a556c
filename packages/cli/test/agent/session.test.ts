import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentProject, agentRun, type Hook } from "../support/agentProject.ts";
import { endOf } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";

const hook = (on: string, answers: unknown, more: Partial<Hook> = {}): Hook => ({ on, name: on, answers, ...more });
const OBJECTION = { decision: "block", reason: "No", continue: false, stopReason: "Stop" };

test("the events of a session come in their order, each once, with one session and its transcript", async () => {
  const events =
    "SessionStart PromptSubmit BeforeAgent BeforeModel BeforeToolSelection AfterModel BeforeTool PreAbilityCall PostAbilityCall AfterTool AfterAgent SessionStop SessionEnd Notification PreCompress".split(
      " ",
    );
  const noting: Hook[] = events.map((on) => ({
    on,
    name: on,
    runs: `echo '"${on}"' >> "$HOOKLINE_PROJECT_DIR/../seen/order.jsonl"`,
    settings: { blocking: true },
  }));
  const project = new AgentProject({ files: { "a.txt": "A" }, hooks: noting });
  const run = await project.run({
    answers: [calls("write_file", { file_path: "b.txt", content: "B" }), says("Done.")],
  });
  const asking = ["BeforeModel", "BeforeToolSelection", "AfterModel"];
  expect(project.machine.read("seen/order.jsonl").replaceAll('"', "").trim().split("\n")).toEqual([
    ...["SessionStart", "PromptSubmit", "BeforeAgent"],
    ...asking,
    ...["BeforeTool", "PreAbilityCall", "PostAbilityCall", "AfterTool"],
    ...asking,
    ...["AfterAgent", "SessionStop", "SessionEnd"],
  ]);
  const { session } = run.json;
  const transcript_path = join(project.machine.dir, project.machine.state, `sessions/${session}.jsonl`);
  for (const on of ["SessionStart", "BeforeTool", "SessionEnd"]) {
    expect(run.seen(on)).toMatchObject([{ session_id: session, transcript_path, cwd: project.machine.project }]);
  }
  expect(run.seen("SessionStart")).toMatchObject([{ source: "startup", trigger: "Startup" }]);
  expect(run.seen("SessionStop")).toMatchObject([{ changed_files: ["b.txt"], abilities_used: ["write_file"] }]);
  expect(run.seen("SessionEnd")).toMatchObject([{ reason: "exit" }]);
});

describe("objections that have no effect", () => {
  test("at the beginning and at the end of a session they are told, and nothing else", async () => {
    const context = { hookSpecificOutput: { additionalContext: "Be kind </hook_context>" } };
    const run = await agentRun({
      hooks: [
        hook("SessionStart", { ...OBJECTION, ...context, systemMessage: "Good morning" }),
        hook("SessionEnd", { ...OBJECTION, ...context, systemMessage: "Good night" }),
      ],
      answers: [says("Hello.")],
    });
    expect(run.modelSaw(1)).toEqual([
      "user: <hook_context>Be kind &lt;/hook_context&gt;</hook_context>\n\ngo",
      "user: [System] Good morning",
    ]);
    expect([run.code, run.json.response]).toEqual([0, "Hello."]);
    expect(run.json).not.toHaveProperty("stopped");
    expect(run.stderr).toMatch(
      /SessionStart startup .* Good morning \(this event does not honour a block and continue: false\)/,
    );
    expect(run.stderr).toMatch(/SessionEnd exit .*\(this event does not honour a block and continue: false\)/);
  });

  test("of a Notification hook they do not even come up: nobody is asked, and nobody is told that somebody is", async () => {
    const run = await agentRun({
      hooks: [hook("Notification", OBJECTION), hook("BeforeTool", { decision: "ask", reason: "Sure?" })],
      files: { "a.txt": "A" },
      answers: [calls("read_file", { file_path: "a.txt" }), says("Done.")],
    });
    expect([run.code, run.seen("Notification")]).toEqual([0, []]);
    expect(run.json.toolCalls).toMatchObject([{ status: "denied" }]);
  });
});

test("a matcher of SessionStart and SessionEnd is held against source and reason", async () => {
  const run = await agentRun({
    hooks: [
      hook("SessionStart", {}, { name: "starts", matcher: "startup|resume" }),
      hook("SessionStart", {}, { name: "clears", matcher: "clear" }),
      hook("SessionEnd", {}, { name: "exits", matcher: "Exit" }),
      hook("SessionEnd", {}, { name: "errs", matcher: "error" }),
    ],
    answers: [says("Hello.")],
  });
  expect(run.json.hooks.map((report) => report.hook)).toEqual(["starts", "exits"]);
});

describe("--resume", () => {
  test("goes on with the conversation, in the same transcript, and says so to the hooks", async () => {
    const project = new AgentProject({
      hooks: [hook("SessionStart", { hookSpecificOutput: { additionalContext: "Hi" } }), hook("SessionEnd", {})],
    });
    const first = await project.run({ answers: [says("One.")], prompt: "first" });
    const { session } = first.json;
    const second = await project.run({ answers: [says("Two.")], prompt: "second", args: ["--resume", session] });
    // What a file says is plain text, also where a hook said it then.
    expect(second.modelSaw(1)).toEqual([
      "user: &lt;hook_context&gt;Hi&lt;/hook_context&gt;\n\nfirst",
      "model: One.",
      "user: <hook_context>Hi</hook_context>\n\nsecond",
    ]);
    expect(second.json.session).toBe(session);
    expect(second.seen("SessionStart")).toMatchObject([
      { source: "startup", session_id: session },
      { source: "resume", trigger: "Resume", session_id: session },
    ]);
    expect(second.seen("SessionEnd")).toHaveLength(2);
    expect(second.transcript.map(({ type }) => type)).toEqual([
      ...["session", "message", "message", "end"],
      ...["session", "message", "message", "end"],
    ]);
  });

  test("closes what a crash left open, and says which lines could not be read", async () => {
    const project = new AgentProject({ files: { "a.txt": "A" } });
    const first = await project.run({ answers: [calls("read_file", { file_path: "a.txt" }), says("Done.")] });
    const { session } = first.json;
    const path = `${project.machine.state}/sessions/${session}.jsonl`;
    const lines = project.machine.read(path).split("\n");
    project.machine.write({ [path]: `${lines.slice(0, 3).join("\n")}\n{"type":"messa` });
    const { child, look } = project.start({ answers: [says("Again.")], prompt: "go on", args: ["--resume", session] });
    child.stdin?.end();
    const ended = await endOf(child);
    project.machine.write({ [path]: project.machine.read(path).replace('{"type":"messa\n', "") });
    const second = look(ended);
    expect(second.modelSaw(1)).toEqual([
      "user: go",
      'model calls read_file {"file_path":"a.txt"}',
      "read_file failed: The session was interrupted here. It is unknown whether this call ran, and how far.",
      "user: go on",
    ]);
    expect([second.code, second.json.response]).toEqual([0, "Again."]);
    expect(second.stderr).toContain("lines of the transcript are unreadable and were skipped");
  });
});

test("a failure of the model ends the session with an error, and the transcript is whole", async () => {
  const run = await agentRun({
    hooks: [hook("SessionEnd", {})],
    files: { "a.txt": "A" },
    answers: [calls("read_file", { file_path: "a.txt" })],
  });
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    error: { code: "REPLAY_EXHAUSTED" },
    toolCalls: [{ status: "success" }],
  });
  expect(run.seen("SessionEnd")).toMatchObject([{ reason: "error" }]);
  expect(run.transcript.at(-1)).toMatchObject({ type: "end", reason: "error" });
});
