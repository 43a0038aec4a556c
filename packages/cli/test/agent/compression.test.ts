import { expect, test } from "vitest";
import { AgentProject, agentRun, type Hook } from "../support/agentProject.ts";
import { calls, says, sumsUp } from "../support/modelAnswers.ts";

const LONG = Array(60).fill("line after line of it").join("\n"); // about 350 tokens
const FILES = { "long.txt": LONG };
const READ = calls("read_file", { file_path: "long.txt" });
const READS = 'model calls read_file {"file_path":"long.txt"}';
const RESULT = `read_file returned: ${LONG}`;
const hook = (on: string, answers: unknown, more: Partial<Hook> = {}): Hook => ({ on, name: on, answers, ...more });
const SUMMARY = "user: Your summary of this session so far:\n\nA long file was read.";

test("a conversation that is too long is replaced by its summary, and what the model has yet to answer stays", async () => {
  const objection = { decision: "block", continue: false, systemMessage: "Squeezing" };
  const project = new AgentProject({
    files: FILES,
    hooks: [
      hook("PreCompress", objection),
      hook("SessionStart", { hookSpecificOutput: { additionalContext: "Still be kind" } }, { matcher: "compress" }),
      hook("SessionStop", {}),
      hook("SessionEnd", {}),
    ],
  });
  const answers = [READ, READ, says("Done."), sumsUp("A long file was read.")];
  const run = await project.run({ answers, args: ["--compress-at", "600"] });
  expect([run.code, run.json.response]).toEqual([0, "Done."]);
  expect(run.requests.map(({ method }) => method)).toEqual([
    "generateContentStream",
    "generateContentStream",
    "generateContent",
    "generateContentStream",
  ]);
  expect(run.modelSaw(2)).toEqual(["user: go", READS, RESULT]);
  expect(run.modelSaw(3)).toEqual(["user: go", READS, RESULT, expect.stringContaining("about to be forgotten")]);
  const summary = `${SUMMARY}\n\n<hook_context>Still be kind</hook_context>`;
  expect(run.modelSaw(4)).toEqual([summary, READS, RESULT, "user: [System] Squeezing"]);
  expect(run.history).toEqual([summary, READS, RESULT, "model: Done."]);
  // Once, for the one compression: not for the requests before it, which were short enough.
  expect(run.seen("PreCompress")).toMatchObject([{ trigger: "auto" }]);
  expect(run.seen("SessionStart")).toMatchObject([{ source: "compress", session_id: run.json.session }]);
  expect([run.seen("SessionStop").length, run.seen("SessionEnd").length]).toEqual([1, 1]);
  expect(run.stderr).toMatch(/compressed: about \d+ tokens are now \d+/);

  const next = await project.run({ answers: [says("Again.")], prompt: "go on", args: ["--resume", run.json.session] });
  // A transcript is a file, and a file cannot speak for hooks.
  const read = `${SUMMARY}\n\n&lt;hook_context&gt;Still be kind&lt;/hook_context&gt;`;
  expect(next.modelSaw(1)).toEqual([read, READS, RESULT, "model: Done.", "user: go on"]);
});

test("PreCompress does not fire where nothing can be compressed, however small the limit", async () => {
  const run = await agentRun({
    files: FILES,
    hooks: [hook("PreCompress", {})],
    answers: [READ, says("Done.")],
    args: ["--compress-at", "1"],
  });
  expect([run.code, run.requests.length, run.seen("PreCompress")]).toEqual([0, 2, []]);
  expect(run.modelSaw(2)).toEqual(["user: go", READS, RESULT]);
});

test.each<[string, Hook[], string[], string]>([
  [
    "a hook objects to the request for the summary",
    [
      {
        on: "BeforeModel",
        name: "guard",
        runs: `case "$input" in *"about to be forgotten"*) echo '{"decision":"deny","reason":"No summaries"}';; esac`,
      },
    ],
    ["Never said."],
    "No summaries",
  ],
  ["the model has nothing to say", [], [""], "The model gave no summary"],
  [
    "the model fails",
    [],
    [],
    "The agent sent more requests than there are recorded answers: the file has 0 answers to generateContent",
  ],
])("the conversation is sent as it is if %s, and the person is told", async (_, hooks, summaries, why) => {
  const answers = [READ, READ, says("Done."), ...summaries.map(sumsUp)];
  const run = await agentRun({ files: FILES, hooks, answers, args: ["--compress-at", "600"] });
  expect([run.code, run.json.response]).toEqual([0, "Done."]);
  const last = run.requests.length;
  expect(run.modelSaw(last)).toEqual(["user: go", READS, RESULT, READS, RESULT]);
  expect(run.stderr).toContain(`The conversation was not compressed: ${why}.`);
});

test("the request for a summary is one like any other: notes of hooks go with it, and with the one after it", async () => {
  const noting = (on: string, found: string): Hook => ({
    on,
    name: on,
    runs: `case "$input" in *"${found}"*) echo '{"systemMessage":"from ${on}"}';; esac`,
  });
  const hooks = [noting("BeforeModel", "about to be forgotten"), noting("AfterModel", "A long file was read")];
  const answers = [READ, READ, says("Done."), sumsUp("A long file was read.")];
  const run = await agentRun({ files: FILES, hooks, answers, args: ["--compress-at", "600"] });
  expect(run.modelSaw(3).at(-1)).toBe("user: [System] from BeforeModel");
  expect(run.modelSaw(4)).toEqual([SUMMARY, READS, RESULT, "user: [System] from AfterModel"]);
});

test("a summary passes AfterModel: what a hook takes out of it is not kept", async () => {
  const changed = {
    hookSpecificOutput: { llm_response: { candidates: [{ content: { role: "model", parts: ["It was ****."] } }] } },
  };
  const redact: Hook = {
    on: "AfterModel",
    name: "redact",
    runs: `case "$input" in *1234*) echo '${JSON.stringify(changed)}';; esac`,
  };
  const answers = [READ, READ, says("Done."), sumsUp("It was 1234.")];
  const run = await agentRun({ files: FILES, hooks: [redact], answers, args: ["--compress-at", "600"] });
  expect(run.modelSaw(4)[0]).toContain("It was ****.");
  expect(JSON.stringify(run.transcript)).not.toContain("1234");
});
