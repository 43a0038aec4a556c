import { describe, expect, test } from "vitest";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";
import { TestChat } from "../support/terminal.ts";

const ASKS: Hook = {
  on: "BeforeTool",
  name: "asks",
  matcher: "write_file",
  answers: { decision: "ask", reason: "Is that wise?", systemMessage: "This file is precious." },
};
const BELL: Hook = { on: "Notification", name: "bell", answers: {} };
const EDIT = calls("write_file", { file_path: "a.txt", content: "new\n" }, "I will write it.");

describe.skipIf(!hasProgram("tmux"))("a person is asked", { timeout: 180_000 }, () => {
  function project(...hooks: Hook[]): AgentProject {
    return new AgentProject({ files: { "a.txt": "old\n" }, hooks });
  }

  test("about what a hook wants to be asked, and after a yes it runs", async () => {
    const here = project(ASKS, BELL);
    const chat = new TestChat(here, { answers: [EDIT, says("Done.")] });
    await chat.says("write it");
    await chat.shows("● No");
    for (const text of ["asked by asks", "Is that wise?", "This file is precious.", "-old", "+new"]) {
      expect(chat.text()).toContain(text);
    }
    expect(chat.text()).not.toContain("do not ask again");
    expect(here.seen("bell")).toMatchObject([{ notification_type: "ToolPermission", message: "Is that wise?" }]);
    expect(here.file("a.txt")).toBe("old\n");
    chat.keys("Up", "Enter");
    await chat.shows("Done.");
    await chat.isReady();
    expect(here.file("a.txt")).toBe("new\n");
    expect(chat.transcripts).toEqual([
      [
        "user: write it",
        "model: I will write it.",
        `model calls write_file {"file_path":"a.txt","content":"new\\n"}`,
        expect.stringContaining("write_file returned: Overwrote a.txt"),
        "model: Done.",
      ],
    ]);
  });

  test("and after a no the file is as it was, and the model is told the hook's reason", async () => {
    const here = project(ASKS);
    const chat = new TestChat(here, {
      answers: [EDIT, says("Then not.")],
      args: "--trust-project --approval-mode yolo",
    });
    await chat.says("write it");
    await chat.shows("● No");
    chat.keys("Enter");
    await chat.shows("Then not.");
    expect(chat.text()).toContain("denied by asks");
    expect(here.file("a.txt")).toBe("old\n");
    expect(chat.modelSaw(2).at(-1)).toBe(
      "write_file failed: Tool call not approved: Is that wise?\n\n[System] This file is precious.",
    );
  });

  test("and can say why not, in words that the model gets", async () => {
    const here = project();
    const chat = new TestChat(here, { answers: [EDIT, says("I see.")] });
    await chat.says("write it");
    await chat.shows("asked by the tool");
    await chat.shows("● Yes, once");
    chat.keys("Up");
    await chat.shows("● No, and tell the model why");
    chat.keys("Enter");
    await chat.shows("What should the model know?");
    chat.type("use b.txt");
    chat.keys("Enter");
    await chat.shows("I see.");
    expect(here.file("a.txt")).toBe("old\n");
    expect(chat.modelSaw(2).at(-1)).toBe("write_file failed: Tool call not approved: the person said no: use b.txt");
  });

  test("once for all edits of a session, if they say so; a changed guard is asked about all the same", async () => {
    const here = project();
    const edits = callsAll([
      { name: "write_file", args: { file_path: "a.txt", content: "new\n" } },
      { name: "write_file", args: { file_path: "b.txt", content: "b\n" } },
      { name: "write_file", args: { file_path: ".hookline/settings.json", content: "{}" } },
    ]);
    const chat = new TestChat(here, { answers: [edits, says("Done.")] });
    await chat.says("write them");
    await chat.shows("● Yes, once");
    chat.keys("Down");
    await chat.shows("● Yes, and do not ask again before edits of files in this session");
    chat.keys("Enter");
    await chat.shows("decides what hooks do.");
    expect(here.file("b.txt")).toBe("b\n");
    await chat.shows("● No");
    await chat.shows(/○ No, and tell the model why\s+└/);
    expect(chat.text().match(/May it run\?/g)).toHaveLength(2);
    expect(chat.text().match(/do not ask again/g)).toHaveLength(1); // of the first question, as it was answered
    chat.keys("Enter");
    await chat.shows("Done.");
    await chat.isReady();
    expect(here.machine.has("project/.hookline/settings.json")).toBe(false);
  });

  test("and sees what hooks made of a call, with everything that could act on a terminal made visible", async () => {
    const rewrites: Hook = {
      on: "BeforeTool",
      name: "tidies",
      answers: { hookSpecificOutput: { tool_input: { command: "echo tidy\u001b]0;evil\u0007" } } },
    };
    const chat = new TestChat(project(rewrites), {
      answers: [calls("run_shell_command", { command: "echo untidy" }), says("Done.")],
    });
    await chat.says("say it");
    await chat.shows("May it run?");
    expect(chat.text()).toContain("$ echo tidy\\e]0;evil\\u0007");
    expect(chat.text()).toContain("- echo untidy");
    chat.keys("C-c");
    await chat.shows("⊘ cancelled");
  });

  test("about two calls at once, one after the other", async () => {
    const here = new AgentProject({
      files: { "a.txt": "from a\n", "b.txt": "from b\n" },
      hooks: [{ ...ASKS, matcher: "read_file" }],
    });
    const reads = callsAll(["a.txt", "b.txt"].map((file_path) => ({ name: "read_file", args: { file_path } })));
    const chat = new TestChat(here, { answers: [reads, says("Read.")] });
    await chat.says("read them");
    await chat.shows("● No");
    expect(chat.text().match(/May it run\?/g)).toHaveLength(1);
    chat.keys("Up", "Enter", "Up", "Enter"); // the second pair is for nobody
    await chat.shows(/◇ +May it run\?\s+│ +Yes, once[\s\S]*● No/);
    chat.keys("Enter");
    await chat.shows("Read.");
    const results = chat.modelSaw(2).slice(-2).join("\n");
    expect([results.match(/read_file returned: /g)?.length, results.match(/not approved/g)?.length]).toEqual([1, 1]);
  });

  test.each([
    ["Ctrl-C", "C-c"],
    ["Ctrl-D", "C-d"],
  ])("%s is a no, and cancels the turn", async (_, key) => {
    const here = project(ASKS);
    const chat = new TestChat(here, { answers: [EDIT, says("Never.")] });
    await chat.says("write it");
    await chat.shows("● No");
    chat.keys(key);
    await chat.shows("⊘ cancelled");
    await chat.isReady();
    expect(here.file("a.txt")).toBe("old\n");
    expect(chat.text()).not.toContain("Never.");
    expect(chat.transcripts[0]?.at(-1)).toContain("write_file failed: ");
  });

  test("what was typed before the question was seen is no answer to it", async () => {
    const slow: Hook = { ...ASKS, runs: 'until [ -e "$HOOKLINE_PROJECT_DIR/go" ]; do sleep 0.1; done' };
    const here = project(slow);
    const chat = new TestChat(here, { answers: [EDIT, says("Done.")] });
    await chat.says("write it");
    await chat.shows("hook asks (BeforeTool)");
    chat.keys("Up", "Enter");
    here.machine.write({ "project/go": "" });
    await chat.shows("● No");
    expect(here.file("a.txt")).toBe("old\n");
    chat.keys("Enter");
    await chat.shows("Done.");
    await chat.isReady();
    expect(here.file("a.txt")).toBe("old\n");
  });
});
