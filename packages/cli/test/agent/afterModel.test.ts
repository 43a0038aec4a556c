import { describe, expect, test } from "vitest";
import { agentRun, type Hook } from "../support/agentProject.ts";
import { calls, says } from "../support/modelAnswers.ts";

const after = (answers: object, more: Partial<Hook> = {}): Hook => ({
  on: "AfterModel",
  name: "after",
  answers,
  ...more,
});
const WRITE = { file_path: "a.txt", content: "a" };
const CALLING = calls("write_file", WRITE, "The password is 1234.");
const WITHHELD = "model: [Response withheld by a hook]";

describe("a block", () => {
  const BLOCK = after({ decision: "deny", reason: "It tells a secret" });

  test("withholds text and calls, from everybody, and ends the turn with the reason", async () => {
    const run = await agentRun({ hooks: [BLOCK], answers: [CALLING], output: "text" });
    expect([run.code, run.stdout, run.requests.length, run.has("a.txt")]).toEqual([2, "", 1, false]);
    expect(run.history).toEqual(["user: go", WITHHELD]);
    expect(run.stderr).toContain("■ stopped at AfterModel by after: It tells a secret");
    expect(run.stderr + JSON.stringify(run.transcript)).not.toContain("1234");
  });

  test("takes back what was streamed, and nothing is streamed where a hook holds the answer", async () => {
    const answers = [says("The password ", "is 1234.")];
    const streamed = await agentRun({ hooks: [BLOCK], answers, output: "stream-json" });
    expect(streamed.events.map(({ type }) => type)).toEqual(["control", "text", "text", "hook", "retracted", "result"]);
    expect(streamed.events.at(-1)).toMatchObject({ response: "", stopped: { event: "AfterModel" } });
    const held = await agentRun({ hooks: [{ ...BLOCK, settings: { hold: true } }], answers, output: "stream-json" });
    expect(held.events.map(({ type }) => type)).toEqual(["control", "hook", "result"]);
    expect(held.stdout).not.toContain("1234");
    expect([streamed.history, held.history]).toEqual([
      ["user: go", WITHHELD],
      ["user: go", WITHHELD],
    ]);
  });
});

test("a stop keeps the answer and ends the turn; its calls are not run", async () => {
  const run = await agentRun({ hooks: [after({ continue: false, stopReason: "Enough" })], answers: [CALLING] });
  expect([run.code, run.requests.length, run.has("a.txt")]).toEqual([2, 1, false]);
  expect(run.json).toMatchObject({
    response: "The password is 1234.",
    stopped: { event: "AfterModel", hook: "after", reason: "Enough" },
    toolCalls: [{ name: "write_file", status: "cancelled" }],
  });
  expect(run.history.slice(1)).toEqual([
    "model: The password is 1234.",
    `model calls write_file ${JSON.stringify(WRITE)}`,
    "write_file failed: This call was not run: a hook ended the turn: Enough",
  ]);
});

describe("a replacement", () => {
  /** As a person would write it: the response back, with something taken out. */
  const program = `const { llm_response } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const changed = JSON.parse(JSON.stringify(llm_response).replaceAll("1234", "****"));
console.log(JSON.stringify({ hookSpecificOutput: { llm_response: changed } }));`;
  const redact: Hook = { on: "AfterModel", name: "redact", runs: `printf '%s' "$input" | node -e '${program}'` };

  test("is what is printed, what is kept, and what the model sees of itself; the calls beside it run", async () => {
    const run = await agentRun({ hooks: [redact], answers: [CALLING, says("Again: 1234")], output: "text" });
    expect([run.code, run.stdout, run.file("a.txt")]).toEqual([0, "Again: ****\n", "a"]);
    expect(run.modelSaw(2)).toEqual([
      "user: go",
      "model: The password is ****.",
      `model calls write_file ${JSON.stringify(WRITE)}`,
      "write_file returned: Created a.txt (1 byte).",
    ]);
    expect(run.history.at(-1)).toBe("model: Again: ****");
    expect(run.stderr + JSON.stringify(run.transcript)).not.toContain("1234");
  });

  test("of what was streamed already is told as such", async () => {
    const run = await agentRun({ hooks: [redact], answers: [says("It is ", "1234")], output: "stream-json" });
    expect(run.events.filter(({ type }) => type !== "hook")).toMatchObject([
      { type: "control" },
      { type: "text", text: "It is " },
      { type: "text", text: "1234" },
      { type: "rewritten", event: "AfterModel", hook: "redact", field: "llm_response" },
      { type: "retracted", why: "changed by a hook" },
      { type: "answer", text: "It is ****", wasStreamed: false },
      { type: "result", response: "It is ****" },
    ]);
  });

  test("can take a call out, or send another one", async () => {
    const parts = [
      "Harmless.",
      { type: "functionCall", name: "write_file", args: { file_path: "b.txt", content: "b" } },
    ];
    const answer = { hookSpecificOutput: { llm_response: { candidates: [{ content: { role: "model", parts } }] } } };
    const swap: Hook = {
      on: "AfterModel",
      name: "swap",
      runs: `case "$input" in *1234*) echo '${JSON.stringify(answer)}';; esac`,
    };
    const run = await agentRun({ hooks: [swap], answers: [CALLING, says("Done.")] });
    expect([run.has("a.txt"), run.has("b.txt")]).toEqual([false, true]);
    expect(run.history.slice(1, 3)).toEqual([
      "model: Harmless.",
      'model calls write_file {"file_path":"b.txt","content":"b"}',
    ]);
  });

  test("that cannot be read withholds the answer: what it was to take out must not get through", async () => {
    const broken = after({ hookSpecificOutput: { llm_response: { candidates: "none" } } });
    const run = await agentRun({ hooks: [broken], answers: [CALLING] });
    expect([run.code, run.has("a.txt"), run.history]).toEqual([2, false, ["user: go", WITHHELD]]);
    expect(run.json.stopped).toMatchObject({ event: "AfterModel", hook: "after" });
  });
});
