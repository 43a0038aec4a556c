import { describe, expect, test } from "vitest";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { eventually } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { openAiChunk, openAiSays, startOpenAiServer } from "../support/openaiServer.ts";
import { hasProgram } from "../support/programs.ts";
import { TestChat } from "../support/terminal.ts";

const ENDS: Hook = { on: "SessionEnd", name: "ends", answers: {} };
/** Its parent is the program. */
const STARTS: Hook = {
  on: "SessionStart",
  name: "starts",
  runs: 'echo $PPID > "$HOOKLINE_PROJECT_DIR/../seen/program"',
};
const NOTES_ITS_PID = 'echo $$ > "$HOOKLINE_PROJECT_DIR/pid"; exec sleep 300';
const YOLO = "--trust-project --approval-mode yolo";

async function pidIn(project: AgentProject, path: string): Promise<number> {
  await eventually(() => project.machine.has(path) && project.machine.read(path).endsWith("\n"), 60_000);
  return Number(project.machine.read(path));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf(!hasProgram("tmux"))("Ctrl-C", { timeout: 180_000 }, () => {
  test("cancels a hook with its process, and the conversation goes on", async () => {
    const once = `[ -e "$HOOKLINE_PROJECT_DIR/pid" ] || { ${NOTES_ITS_PID}; }`;
    const project = new AgentProject({ hooks: [{ on: "BeforeAgent", name: "slow", runs: once }, ENDS] });
    const chat = new TestChat(project, { answers: [says("Here I am.")] });
    await chat.says("first");
    await chat.shows("hook slow (BeforeAgent)… ");
    const pid = await pidIn(project, "project/pid");
    chat.keys("C-c");
    await chat.shows("⊘ cancelled");
    await eventually(() => !isAlive(pid), 60_000);
    await chat.says("second");
    await chat.shows("Here I am.");
    await chat.isReady();
    expect(chat.transcripts).toEqual([["user: second", "model: Here I am."]]);
    await chat.says("/quit");
    await chat.shows("exit code 0");
    expect(project.seen("ends")).toMatchObject([{ reason: "exit" }]);
  });

  test("cancels a tool with its process, and its call is closed", async () => {
    const project = new AgentProject({ hooks: [ENDS] });
    const command = "echo working; echo $$ > pid; exec sleep 300";
    const answers = [calls("run_shell_command", { command }), says("Here I am.")];
    const chat = new TestChat(project, { answers, args: YOLO });
    await chat.says("first");
    await chat.shows("running run_shell_command… ");
    await chat.shows(/^ {4}working$/m);
    const pid = await pidIn(project, "project/pid");
    chat.keys("C-c");
    await chat.shows("⊘ cancelled");
    await eventually(() => !isAlive(pid), 60_000);
    await chat.says("second");
    await chat.shows("Here I am.");
    await chat.isReady();
    expect(chat.transcripts).toEqual([
      [
        "user: first",
        `model calls run_shell_command ${JSON.stringify({ command })}`,
        "run_shell_command failed: Cancelled while the tool ran",
        "user: second",
        "model: Here I am.",
      ],
    ]);
  });

  test("cancels a call of the model; what it had said is taken back", async () => {
    const hangs = {
      kind: "stream",
      events: [openAiChunk({ role: "assistant", content: "Let me" })],
      ending: "never",
    } as const;
    const server = await startOpenAiServer([hangs, openAiSays("Here I am.")]);
    const project = new AgentProject({ hooks: [ENDS] });
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "key" };
    const chat = new TestChat(project, { model: "openai:test-model", env });
    await chat.says("first");
    await chat.shows("Let me");
    chat.keys("C-c");
    await chat.shows("⊘ cancelled");
    expect(chat.text()).toContain("⊘ retracted: interrupted");
    await chat.says("second");
    await chat.shows("Here I am.");
    await chat.isReady();
    expect(chat.transcripts).toEqual([["user: first", "user: second", "model: Here I am."]]);
  });

  test("cancels a call that is not answered at all", async () => {
    const server = await startOpenAiServer([{ kind: "stream", events: [], ending: "never" }]);
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "key" };
    const chat = new TestChat(new AgentProject({}), { model: "openai:test-model", env });
    await chat.says("first");
    await eventually(() => server.requests.length === 1, 60_000);
    await chat.shows("asking the model… ");
    chat.keys("C-c");
    await chat.shows("⊘ cancelled");
    await chat.isReady();
  });

  test("twice ends the program at once, with everything it started", async () => {
    const project = new AgentProject({ hooks: [] });
    const command = "echo $$ > pid; trap '' TERM; while :; do sleep 1; done";
    const chat = new TestChat(project, { answers: [calls("run_shell_command", { command })], args: YOLO });
    await chat.says("first");
    const pid = await pidIn(project, "project/pid");
    chat.keys("C-c", "C-c");
    await chat.shows("exit code 130");
    await eventually(() => !isAlive(pid), 60_000);
  });

  test("at the prompt clears the line; where there is none it asks for one more, and leaves", async () => {
    const project = new AgentProject({ hooks: [ENDS] });
    const chat = new TestChat(project);
    await chat.isReady();
    chat.type("never mind");
    await chat.shows("❯ never mind");
    chat.keys("C-c");
    await chat.isReady();
    chat.keys("C-c");
    await chat.shows("Press Ctrl-C again");
    chat.type("x");
    await chat.shows("❯ x");
    chat.keys("BSpace", "C-c");
    await chat.shows(/Ctrl-C again[\s\S]*Ctrl-C again/);
    expect(project.seen("ends")).toEqual([]);
    chat.keys("C-c");
    await chat.shows("exit code 0");
    expect(project.seen("ends")).toMatchObject([{ reason: "exit" }]);
    expect(chat.text()).toMatch(/hookline chat --resume [0-9a-f-]{36}/);
  });
});

describe.skipIf(!hasProgram("tmux"))("a chat that is told to end", { timeout: 180_000 }, () => {
  test("by SIGTERM at the prompt ends its session properly", async () => {
    const project = new AgentProject({ hooks: [STARTS, ENDS] });
    const chat = new TestChat(project);
    await chat.isReady();
    process.kill(await pidIn(project, "seen/program"), "SIGTERM");
    await chat.shows("exit code 130");
    expect(project.seen("ends")).toMatchObject([{ reason: "other" }]);
  });

  test("by SIGTERM during a turn cancels that first", async () => {
    const project = new AgentProject({ hooks: [STARTS, ENDS] });
    const answers = [calls("run_shell_command", { command: ": > started; exec sleep 300" })];
    const chat = new TestChat(project, { answers, args: YOLO });
    await chat.says("first");
    await eventually(() => project.machine.has("project/started"), 60_000);
    process.kill(await pidIn(project, "seen/program"), "SIGTERM");
    await chat.shows("exit code 130");
    expect(project.seen("ends")).toMatchObject([{ reason: "other" }]);
    expect(chat.transcripts[0]?.at(-1)).toBe("run_shell_command failed: Cancelled while the tool ran");
  });

  test.each(["at the prompt", "during a turn"])(
    "by its window being closed %s ends its session properly",
    async (when) => {
      const project = new AgentProject({ hooks: [STARTS, ENDS] });
      const answers = [calls("run_shell_command", { command: ": > started; exec sleep 300" })];
      const chat = new TestChat(project, { answers, args: YOLO });
      await chat.isReady();
      const pid = await pidIn(project, "seen/program");
      if (when === "during a turn") {
        await chat.says("first");
        await eventually(() => project.machine.has("project/started"), 60_000);
      }
      chat.close();
      await eventually(() => !isAlive(pid), 60_000);
      expect(project.seen("ends")).toMatchObject([{ reason: "other" }]);
    },
  );

  test("by Ctrl-D ends its session, and a slow hook of the end can be cut short", async () => {
    const project = new AgentProject({ hooks: [{ ...ENDS, runs: ': > "$HOOKLINE_PROJECT_DIR/ending"; sleep 300' }] });
    const chat = new TestChat(project);
    await chat.isReady();
    chat.keys("C-d");
    await chat.shows("hook ends (SessionEnd)… ");
    await eventually(() => project.machine.has("project/ending"), 60_000);
    chat.keys("C-c");
    await chat.shows("exit code 130");
    expect(project.seen("ends")).toMatchObject([{ reason: "exit" }]);
  });
});
