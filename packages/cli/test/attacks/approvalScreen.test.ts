import { describe, expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { hooksOn } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";
import { TestChat } from "../support/terminal.ts";

const SPACES = " ".repeat(9_000);
const command = (text: string, description?: string) =>
  calls("run_shell_command", { command: text, ...(description === undefined ? {} : { description }) });

describe.skipIf(!hasProgram("tmux"))(
  "one Enter does not approve what is not on the screen",
  { timeout: 180_000 },
  () => {
    test.each([
      ["a command between spaces", command(`git status${SPACES}; touch ran${SPACES}# only shows the state`)],
      [
        "a command between tabs",
        command(`git status${"\t".repeat(9_000)}; touch ran${"\t".repeat(9_000)}# only shows`),
      ],
      [
        "a command between wide blanks",
        command(`git status #${"\u3000".repeat(5_000)}\ntouch ran #${"\u3000".repeat(5_000)}end`),
      ],
      ["a command above blank lines", command(`touch ran${"\n".repeat(55)}git status`)],
      ["a command in one endless line", command(`git status; touch ran #${"x".repeat(9_000)} only shows the state`)],
      ["a command before vowel signs", command(`touch ran #${`x${"\u093e".repeat(4)}`.repeat(1_800)} only shows`)],
      ["a command before skin tones", command(`touch ran #${"\u{1f44d}\u{1f3fd}".repeat(1_600)} only shows`)],
      ["a command before flags", command(`touch ran #${"\u{1f1e6}\u{1f1f9}".repeat(1_600)} only shows`)],
      ["a command above an endless description", command("touch ran", `Shows the state. ${"Really. ".repeat(1_500)}`)],
      [
        "a change above blank lines",
        calls("write_file", { file_path: "ran", content: `evil${"\n".repeat(52)}harmless\n` }),
      ],
      [
        "a change in one endless line",
        calls("write_file", { file_path: "ran", content: `evil${"x".repeat(9_000)}harmless` }),
      ],
    ])("%s", async (_, call) => {
      const project = new AgentProject({});
      const chat = new TestChat(project, { answers: [call, says("So be it.")], columns: 120, rows: 40 });
      await chat.says("go");
      await chat.shows(/○ No, and tell the model why/);
      chat.keys("Enter");
      await chat.shows("So be it.");
      expect(project.machine.has("project/ran")).toBe(false);
    });
  },
);

test("a command that is to be trusted cannot hide behind spaces", async () => {
  const hook = { name: "x", command: `true${SPACES}; touch ran${SPACES}# harmless` };
  const project = new AgentProject({ files: { ".hookline/settings.json": hooksOn("SessionStart", [hook]) } });
  const { stdout } = await project.machine.cli(["trust"]);
  expect(stdout).toContain("true… 9,000 spaces …; touch ran… 9,000 spaces …# harmless");
});

test("the input of a task that waits for a person cannot hide behind spaces", async () => {
  const ability = "id: deploy\nimplementation:\n  kind: script\n  command: cat\n";
  const project = new AgentProject({ files: { ".system/abilities/deploy.yaml": ability } });
  const input = JSON.stringify({ to: `staging${SPACES}prod` });
  const created = await project.machine.cli(["task", "create", "deploy", "--input", input, "--trust-project"]);
  const [key = ""] = /t-[\w-]+/.exec(created.stdout) ?? [];
  const { stdout } = await project.machine.cli(["task", "show", key]);
  expect(stdout).toContain('{"to":"staging… 9,000 spaces …prod"}');
});
