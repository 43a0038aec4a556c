import { describe, expect, test } from "vitest";
import { agentRun, type Hook } from "../support/agentProject.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";

const FILES = { "a.txt": "old\n" };
const WRITE = { file_path: "a.txt", content: "new\n" };
const ANSWERS = [calls("write_file", WRITE), says("As you wish.")];
const ASKED = ["user: go", `model calls write_file ${JSON.stringify(WRITE)}`];

describe("a rewrite of the arguments", () => {
  const rewrite = (tool_input: object, more: Partial<Hook> = {}): Hook => ({
    on: "BeforeTool",
    name: "scribe",
    answers: { hookSpecificOutput: { tool_input } },
    ...more,
  });

  test("is what runs; fields that it does not name stay, and AfterTool sees the call as it ran", async () => {
    const run = await agentRun({
      files: FILES,
      hooks: [rewrite({ content: "better\n" }), { on: "AfterTool", name: "after", answers: {} }],
      answers: ANSWERS,
    });
    expect(run.file("a.txt")).toBe("better\n");
    expect(run.seen("after")).toMatchObject([{ tool_input: { file_path: "a.txt", content: "better\n" } }]);
    expect(run.modelSaw(2)).toEqual([...ASKED, "write_file returned: Overwrote a.txt (7 bytes)."]);
  });

  test.each([
    ["has the wrong type", { content: 7 }, "`content`"],
    ["leads out of the workspace", { file_path: "../../outside.txt" }, "outside of the workspace"],
  ])("that %s blocks the call and names the hook", async (_, input, fault) => {
    const run = await agentRun({ files: FILES, hooks: [rewrite(input)], answers: ANSWERS });
    expect(run.file("a.txt")).toBe("old\n");
    const [told = ""] = run.modelSaw(2).slice(-1);
    expect(told).toContain(
      'write_file failed: Tool call blocked by hook: the arguments as changed by "scribe" are invalid',
    );
    expect(told).toContain(fault);
    expect(run.json.toolCalls).toMatchObject([{ status: "blocked", blockedBy: "scribe" }]);
  });

  test("is seen by a guard that had looked at the original already", async () => {
    const guard = `case "$input" in *secret.txt*) echo '{"decision":"deny","reason":"Not the secret"}';; esac`;
    const run = await agentRun({
      files: { ...FILES, "secret.txt": "s3cret\n" },
      hooks: [{ on: "BeforeTool", name: "guard", runs: guard }, rewrite({ file_path: "secret.txt" })],
      answers: ANSWERS,
    });
    expect([run.file("a.txt"), run.file("secret.txt")]).toEqual(["old\n", "s3cret\n"]);
    expect(run.modelSaw(2).at(-1)).toBe("write_file failed: Tool call blocked by hook: Not the secret");
    expect(run.seen("guard").map(({ second_pass }) => second_pass)).toEqual([undefined, true]);
  });

  test("in a sequence is seen by the next hook, and the later one wins", async () => {
    const answer = JSON.stringify({ hookSpecificOutput: { tool_input: { content: "first second" } } });
    const second = `case "$input" in *'"content":"first"'*) echo '${answer}';; esac`;
    const run = await agentRun({
      files: FILES,
      hooks: [rewrite({ content: "first" }, { sequential: true }), { on: "BeforeTool", name: "second", runs: second }],
      answers: ANSWERS,
    });
    expect(run.file("a.txt")).toBe("first second");
  });
});

test("a hook finds arguments under the names it knows, whichever names the model and the hook's matcher use", async () => {
  const deny = `case "$input" in *'"tool_name":"EditTool"'*'"file_path":"a.txt"'*) exit 2;; esac`;
  const run = await agentRun({
    files: FILES,
    hooks: [{ on: "BeforeTool", name: "guard", matcher: "EditTool", runs: deny }],
    answers: [calls("edit_file", { absolute_path: "a.txt", old_string: "old", new_string: "new" }), says("So be it.")],
  });
  expect([run.file("a.txt"), run.seen("guard").length]).toEqual(["old\n", 1]);
  expect(run.json.toolCalls).toMatchObject([{ name: "edit_file", status: "blocked", blockedBy: "guard" }]);
});

test("arguments that are no object, and tools that do not exist, are the model's mistakes: it is told", async () => {
  const run = await agentRun({
    hooks: [{ on: "BeforeTool", name: "guard", answers: {} }],
    answers: [
      callsAll([
        { name: "write_fiel", args: WRITE },
        { name: "write_file", args: { file_path: "a.txt" } },
        { name: "read_file", args: { file_path: "../../etc/passwd" } },
        { name: "read_file", args: ["a.txt"] },
      ]),
      says("Sorry."),
    ],
  });
  expect(run.modelSaw(2).slice(-4)).toEqual([
    expect.stringMatching(/^write_fiel failed: There is no tool "write_fiel"\. Did you mean .*write_file/),
    "write_file failed: Invalid arguments for write_file: `content` is missing: expected string.",
    expect.stringContaining(
      "read_file failed: Invalid arguments for read_file: ../../etc/passwd is outside of the workspace",
    ),
    "read_file failed: Invalid arguments for read_file: they must be an object",
  ]);
  expect(run.json.toolCalls.map(({ status }) => status)).toEqual(["error", "error", "error", "error"]);
  // A path with ".." is asked about a second time, as the file that it leads to.
  const asked = run.seen("guard").map(({ tool_name, second_pass }) => `${tool_name} ${second_pass ?? false}`);
  expect(asked.toSorted()).toEqual(["read_file false", "read_file true", "write_file false"]);
  expect(run.code).toBe(0);
});
