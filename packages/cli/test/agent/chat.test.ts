import { describe, expect, test } from "vitest";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { calls, says, sumsUp } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";
import { TestChat } from "../support/terminal.ts";

const ENDS: Hook = { on: "SessionEnd", name: "ends", answers: {} };
const STARTS: Hook = {
  on: "SessionStart",
  name: "starts",
  runs: `printf '{"hookSpecificOutput":{"additionalContext":"%s"}}' "$(echo "$input" | grep -o '"source":"[a-z]*"' | tr -d '"')"`,
};

test("a chat without a terminal says what to use instead", async () => {
  const { code, stderr } = await new Machine().run(["chat"]);
  expect(code).toBe(1);
  expect(stderr).toContain("A chat needs a terminal, but standard input or output is not one.");
  expect(stderr).toContain("hookline run");
});

describe.skipIf(!hasProgram("tmux"))("a chat", { timeout: 180_000 }, () => {
  test("/hooks shows every hook, how often it ran, and what it last said", async () => {
    const hooks: Hook[] = [
      {
        on: "BeforeTool",
        name: "refuses",
        matcher: "write_file",
        answers: { decision: "deny", reason: "Not this one." },
      },
      { on: "AfterTool", name: "sleeping", answers: {} },
      { on: "BeforeAgent", name: "hears", answers: { systemMessage: "I heard that." } },
    ];
    const answers = [calls("write_file", { file_path: "a.txt", content: "a" }), says("Then not."), says("Hello.")];
    const project = new AgentProject({ hooks });
    project.machine.write({ [USER_FILE]: { hooksConfig: { disabled: ["sleeping"] } } });
    const chat = new TestChat(project, { answers });
    await chat.says("write");
    await chat.shows("Then not.");
    expect(chat.text()).toMatch(/✗ block refuses BeforeTool write_file · [\d.]+ m?s Not this one\./);
    expect(chat.text()).toMatch(/✓ allow hears BeforeAgent · [\d.]+ m?s I heard that\./);
    await chat.says("hello");
    await chat.shows("Hello.");
    await chat.says("/hooks");
    await chat.shows(/refuses +BeforeTool +on +1 +block · [\d.]+ m?s/);
    expect(chat.text()).toMatch(/hears +BeforeAgent +on +2 +allow · [\d.]+ m?s/);
    expect(chat.text()).toMatch(/sleeping +AfterTool +off +0 +–/);
  });

  test("asks before it goes on without the hooks of a settings file that cannot be read; no ends it", async () => {
    const project = new AgentProject({ files: { "notes.txt": "x" } });
    project.machine.write({ [USER_FILE]: '{ "hooks": { "BeforeTool": [' });
    const refusing = new TestChat(project, { answers: [says("Hello.")] });
    await refusing.shows("Continue without the hooks declared there?");
    expect(refusing.text()).toContain("1 settings file cannot be read:");
    expect(refusing.text()).toContain("~/.hookline/settings.json:1:");
    refusing.keys("n", "Enter");
    await refusing.shows("exit code 1");
    const agreeing = new TestChat(project, { answers: [says("Hello.")] });
    await agreeing.shows("Continue without the hooks declared there?");
    agreeing.keys("y", "Enter");
    await agreeing.says("hi");
    await agreeing.shows("Hello.");
  });

  test("/clear ends the session once and begins another, whose hooks the model hears", async () => {
    const project = new AgentProject({ hooks: [STARTS, ENDS] });
    const chat = new TestChat(project, { answers: [says("One."), says("Two.")] });
    await chat.says("first");
    await chat.shows("One.");
    await chat.says("/clear");
    await chat.shows("A new session: ");
    await chat.says("second");
    await chat.shows("Two.");
    expect(chat.modelSaw(1)).toEqual(["user: <hook_context>source:startup</hook_context>\n\nfirst"]);
    expect(chat.modelSaw(2)).toEqual(["user: <hook_context>source:clear</hook_context>\n\nsecond"]);
    await chat.says("/exit");
    await chat.shows("exit code 0");
    expect(project.seen("starts")).toMatchObject([{ source: "startup" }, { source: "clear" }]);
    expect(project.seen("ends")).toMatchObject([{ reason: "clear" }, { reason: "exit" }]);
    const ids = [...project.seen("starts"), ...project.seen("ends")].map(({ session_id }) => session_id);
    expect([ids[0] === ids[2], ids[1] === ids[3], ids[0] === ids[1]]).toEqual([true, true, false]);
    expect(chat.transcripts).toHaveLength(2);
  });

  test("/compress says what it came to, or that there is nothing to compress", async () => {
    const answers = [says("One."), says("Two."), says("Three."), says("Four."), sumsUp("They count.")];
    const chat = new TestChat(new AgentProject(), { answers });
    await chat.says("/compress");
    await chat.shows("There is nothing to compress yet.");
    for (const word of ["One", "Two", "Three", "Four"]) {
      await chat.says(`say ${word}`);
      await chat.shows(`${word}.`);
    }
    await chat.says("/compress");
    await chat.shows(/compressed: about \d+ tokens are now \d+/);
  });

  test("says what was meant by a command that there is none of; // begins a prompt with a slash", async () => {
    const chat = new TestChat(new AgentProject(), { answers: [says("A folder.")] });
    await chat.says("/hoks");
    await chat.shows('Did you mean "/hooks"?');
    await chat.says("/help");
    await chat.shows("end this session and begin an empty one");
    await chat.says("//etc");
    await chat.shows("A folder.");
    expect(chat.modelSaw(1)).toEqual(["user: /etc"]);
  });

  test("takes a prompt of several lines, typed or pasted, and recalls it in the next chat", async () => {
    const project = new AgentProject();
    const chat = new TestChat(project, { answers: [says("One."), says("Two.")] });
    await chat.isReady();
    chat.type("a line\\");
    chat.keys("Enter");
    await chat.shows(/…\s*$/);
    chat.type("and another");
    chat.keys("Enter");
    await chat.shows("One.");
    await chat.isReady();
    chat.paste("pasted\nin lines\n\nof text");
    await chat.shows("… of text");
    expect(chat.modelSaw(2)).toEqual([]);
    chat.keys("Enter");
    await chat.shows("Two.");
    expect(chat.modelSaw(2).at(-1)).toBe("user: pasted\nin lines\n\nof text");
    expect(chat.modelSaw(1)).toEqual(["user: a line\nand another"]);
    await chat.isReady();
    chat.keys("C-d");
    await chat.shows("exit code 0");

    const next = new TestChat(project, { answers: [says("Again.")] });
    await next.isReady();
    next.keys("Up", "Up");
    await next.shows("and another");
    next.keys("Enter");
    await next.shows("Again.");
    expect(next.modelSaw(3)).toEqual(["user: a line\nand another"]);
  });

  test("goes on with an earlier session", async () => {
    const project = new AgentProject();
    const chat = new TestChat(project, { answers: [says("One.")] });
    await chat.says("first");
    await chat.shows("One.");
    await chat.says("/quit");
    await chat.shows("exit code 0");
    const [, id = ""] = /--resume (\S+)/.exec(chat.text()) ?? [];
    const next = new TestChat(project, { answers: [says("Two.")], args: `--resume ${id}` });
    await next.says("second");
    await next.shows("Two.");
    expect(next.modelSaw(2)).toEqual(["user: first", "model: One.", "user: second"]);
  });

  test("marks an answer that a hook withholds as retracted, and shows one that it changed", async () => {
    const guards: Hook = {
      on: "AfterModel",
      name: "guards",
      runs: `case $input in
        *secret*) echo '{"decision":"deny","reason":"It has a secret."}' ;;
        *dull*) echo '{"hookSpecificOutput":{"llm_response":{"candidates":[{"content":{"role":"model","parts":["bright"]}}]}}}' ;;
      esac`,
    };
    const chat = new TestChat(new AgentProject({ hooks: [guards] }), {
      answers: [says("It is sec", "ret."), says("dull")],
    });
    await chat.says("first");
    await chat.shows("⊘ retracted: ");
    await chat.shows("■ stopped at AfterModel by guards: It has a secret.");
    await chat.says("/clear");
    await chat.says("second");
    await chat.shows(/retracted: changed by a hook\s+bright/);
  });

  test("shows what a model says as text, whatever it would do to a terminal", async () => {
    const chat = new TestChat(new AgentProject(), { answers: [says("a\u001b[2", "Jb\r\nc\u202ed")] });
    await chat.says("first");
    await chat.shows("a\\e[2Jb");
    expect(chat.text()).toContain("c\\u202ed");
  });

  test("goes on without hooks that are not trusted, and says so", async () => {
    const project = new AgentProject({ hooks: [{ on: "BeforeAgent", name: "unknown", answers: {} }] });
    const chat = new TestChat(project, { answers: [says("One.")], args: "" });
    await chat.shows("start this code");
    chat.keys("Enter");
    await chat.shows("Not trusted, so not running: 1 hook (unknown)");
    await chat.says("first");
    await chat.shows("One.");
    expect(project.seen("unknown")).toEqual([]);
    await chat.says("/hooks");
    await chat.shows(/unknown +BeforeAgent +untrusted +0/);
  });

  test("asks about a hook that was changed meanwhile, and takes no as a block", async () => {
    const project = new AgentProject({ hooks: [{ on: "BeforeAgent", name: "guard", answers: {} }] });
    const chat = new TestChat(project, { answers: [says("One."), says("Two.")], args: "" });
    await chat.shows("start this code");
    chat.keys("y");
    await chat.says("first");
    await chat.shows("One.");
    project.machine.write({ "project/hooks/guard.sh": "#!/bin/sh\necho changed\n" });
    await chat.says("second");
    await chat.shows(/\+echo changed[\s\S]*guard was changed during this session\. Continue with the new version\?/);
    chat.keys("Enter");
    await chat.shows("■ stopped at BeforeAgent");
    await chat.isReady();
  });

  test("asks about a hook that is new while a prompt is typed, and the prompt is there again afterwards", async () => {
    const project = new AgentProject({ hooks: [{ on: "BeforeAgent", name: "known", answers: {} }] });
    const chat = new TestChat(project, { answers: [says("One.")], args: "" });
    await chat.shows("start this code");
    chat.keys("y");
    await chat.isReady();
    chat.type("half a ");
    await chat.shows("❯ half a");
    const fresh = { hooks: [{ type: "command", name: "fresh", command: "./hooks/known.sh" }] };
    const settings = project.machine.read(PROJECT_FILE);
    const more = settings.replace('"BeforeAgent": [', `"BeforeAgent": [${JSON.stringify(fresh)},`);
    project.machine.write({ [PROJECT_FILE]: more });
    await chat.shows(/start this code[\s\S]*fresh[\s\S]*start this code/);
    chat.keys("Enter");
    await chat.shows(/❯ half a\s*$/);
    chat.type("prompt");
    chat.keys("Enter");
    await chat.shows("One.");
    expect(chat.modelSaw(1)).toEqual(["user: half a prompt"]);
  });

  test("goes on after the model failed", async () => {
    const chat = new TestChat(new AgentProject(), { answers: [says("One.")] });
    await chat.says("first");
    await chat.shows("One.");
    await chat.says("second");
    await chat.shows("The agent sent more requests than there are recorded answers");
    await chat.isReady();
  });
});
